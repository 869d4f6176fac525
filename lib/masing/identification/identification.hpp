// What an identification was made from and what came out of it: measured points beside computed ones, and the fit.
#pragma once

#include "masing/identification/least_squares.hpp"

namespace masing {

/// One measured number, and the same computed, in the units of its set.
struct MeasuredPoint {
  std::string data;  ///< name of the set of data
  double at = 0.0;   ///< abscissa: force, amplitude, time, …
  double measured = 0.0;
  double deviation = 1.0;  ///< standard deviation of the measurement
  double at_start = 0.0;   ///< computed with the parameters that the user began with; NaN: could not be
  double computed = 0.0;   ///< computed with the identified parameters

  double residual() const { return (computed - measured) / deviation; }
};

/// How the points of a set of data are to be called.
struct MeasuredSet {
  std::string name;
  std::string at_label, at_unit;
  std::string value_label, value_unit;
};

struct Identification {
  std::vector<FitParameter> parameters;
  std::vector<MeasuredSet> sets;
  std::vector<MeasuredPoint> points;
  std::vector<std::string> overrides;  ///< the identified values as the command line takes them
  FitResult fit;
};

/// "0.71 stiffness − 0.70 slip_force": the parts of a direction that count.
std::string direction_text(const UndecidedDirection& undecided, const std::vector<FitParameter>& parameters);

}  // namespace masing
