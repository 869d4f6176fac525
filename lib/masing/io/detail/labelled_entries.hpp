// Entries of a matrix whose rows are called by node and degree of freedom, as finite-element programs write them.
#pragma once

#include "masing/structure/catalogue.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace masing::detail {

struct NodalMotion {
  long node = 0;
  long degree = 0;  ///< 1 … 6; 0: a scalar point, which has one motion only

  std::string label() const;  ///< "12.3", or "12" for a scalar point
};

class LabelledEntries {
 public:
  void add(const NodalMotion& row, const NodalMotion& column, double value);
  bool empty() const { return motions_.empty(); }

  /// `mirror`: a file that holds one triangle only is completed; one with both stays as it is. Rows whose diagonal entry
  /// is `fixed_above` or more are taken out and listed as fixed.
  LabelledMatrix finish(bool mirror, double fixed_above) const;

 private:
  Index position(const NodalMotion& motion);

  std::vector<NodalMotion> motions_;  // in the order of their first appearance
  std::unordered_map<long, Index> positions_;
  std::vector<Eigen::Triplet<double>> entries_;
};

/// Text as programs of the Fortran tradition write numbers: 1.5D+03, 2.5+10, 1.e-3. Returns false if it is none.
bool parse_real(std::string_view text, double& value);
bool parse_integer(std::string_view text, long& value);
/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);
std::string upper_case(std::string_view text);

}  // namespace masing::detail
