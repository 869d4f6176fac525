// A law of one input that knows its kinks, evaluated in its cells (cells.hpp): between instants that the samples do not resolve.
#pragma once

#include "masing/balance/detail/cells.hpp"
#include "masing/contact/element.hpp"

#include <vector>

namespace masing::detail {

/// A joint's motion and law, as a balance has them.
struct CellMotion {
  const ContactElement& element;
  PeriodicMotion samples;  ///< with signals
  double omega = 0.0;
  CycleOptions options;
};

class CellCycle {
 public:
  /// For what `sampled` found at the samples; adds corners to it where slopes go with a root of time.
  void evaluate(const CellMotion& motion, CycleResult& sampled);

  const std::vector<Cell>& cells() const { return cells_; }
  /// A row for each node; its sources are numbered as those at the samples.
  const CycleResult& rows() const { return rows_; }

 private:
  // One side of an instant.
  struct Probe {
    double instant = 0.0;
    double reach = 0.0;  // negative: before it
  };

  void list_instants(const CycleResult& sampled, Index samples);
  void list_probes(Index samples);
  bool is_rough(const Probe& probe, double largest_slope) const;
  void grade(const CellMotion& motion, CycleResult& sampled);
  void evaluate_at_times(const CellMotion& motion);

  std::vector<double> instants_, times_;
  std::vector<Probe> probes_;
  std::vector<Cell> cells_;
  std::vector<TurningPoint> turns_;
  Matrix displacement_, velocity_;
  CycleResult rows_;
};

}  // namespace masing::detail
