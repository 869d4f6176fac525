// Where response control begins: the level at which the controlled amplitude has its value at the first frequency.
//
// The load is raised, round every fold, from where the motion is small beside that amplitude until the amplitude is there.
// The linear answer tells where that may be: within three decades if the loads themselves drive the controlled harmonic of the
// sensor. A harmonic that the joints alone drive is zero in the linear answer, or what rounding leaves of it. It begins with
// a slip or a contact, or grows as a power of the motion, and may need a motion that is larger than itself by decades: there the
// load is raised from where the whole motion of the sensor is a thousandth of the amplitude, over twelve decades.
#pragma once

#include "masing/analysis/controlled_response.hpp"
#include "masing/analysis/detail/augmented_problem.hpp"
#include "masing/analysis/detail/condition.hpp"
#include "masing/analysis/detail/first_solution.hpp"
#include "masing/continuation/continuation.hpp"

#include <string>

namespace masing::detail {

class ControlStart {
 public:
  /// Keeps references to the balance and the request.
  ControlStart(HarmonicBalance& balance, const ResponseControlRequest& request, double amplitude, StartSearch search);

  struct Result {
    FirstSolution solution;
    double level = 1.0;
  };
  Result find();

 private:
  // Of the sensor in the linear answer at level 1, as displacements.
  struct LinearAnswer {
    double controlled = 0.0;  // in the controlled harmonic
    double largest = 0.0;     // in any; where the sensor stands still, that of all coordinates
  };
  // Amplitudes that were passed while the load was raised.
  struct Passed {
    double least = 0.0, most = 0.0;
  };

  LinearAnswer linear_answer_of_sensor();
  double amplitude_of(const AugmentedProblem::State& state);
  Result raise(const ParameterRange& decades);
  Result none(const std::string& message, bool stopped = false) const;
  std::string not_found(const ParameterRange& decades, const Passed& passed, const std::string& end) const;
  std::string sensor_words() const;

  HarmonicBalance& balance_;
  const ResponseControlRequest& request_;
  double amplitude_;
  StartSearch search_;
  double omega_;
  Vector weights_;
  AmplitudeCondition measure_;
};

}  // namespace masing::detail
