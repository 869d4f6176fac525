// The report: one self-contained HTML page (inline SVG, a few lines of JavaScript, nothing from the network) made from
// a result file alone.
//
// Each analysis shows first-harmonic amplitude, phase, and rms and peak of every observable over frequency, all levels
// in one plot with peaks and folds marked (linear/logarithmic switch, read-out under the pointer), tables of resonances
// and folds, and why each branch stopped; transient analyses show time histories and joint force over joint motion; loops show force
// over displacement, and energy and secant stiffness over amplitude; modes show their shapes.
#pragma once

#include "masing/io/results.hpp"

#include <string>

namespace masing {

/// A share of the amplitude in the last two harmonics above this draws a warning: the harmonic set is too small there.
inline constexpr double truncation_warning = 1e-3;

std::string report_html(const Results& results);

/// Writes the page; throws ModelError if `html_path` cannot be written or the result file cannot be read.
void write_report(const Results& results, const std::string& html_path);
void write_report(const std::string& results_path, const std::string& html_path);

/// First-harmonic amplitude of one observable over frequency, all levels, as a free-standing SVG picture. Empty names
/// mean the first analysis with branches and its first observable. Where `analysis` is the name of loops, or there is
/// nothing but loops: force over displacement of the joint `observable`. Throws ModelError for unknown names.
struct PictureRequest {
  std::string analysis;
  std::string observable;
  bool logarithmic = false;
};
std::string response_svg(const Results& results, const PictureRequest& request = {});
void write_svg(const Results& results, const std::string& svg_path, const PictureRequest& request = {});

}  // namespace masing
