// Line plots as SVG: axes with round ticks, curves, marks and a legend. Colours are those of Okabe and Ito (2008),
// which people with any kind of colour vision tell apart; beyond seven curves dashes distinguish them too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace masing::svg {

struct Curve {
  std::string label;         ///< empty: not in the legend
  std::vector<double> x, y;  ///< a value that is not finite breaks the line
  int colour = 0;            ///< number in the palette, any size
  bool dashed = false;
};

struct Mark {
  enum class Shape { circle, diamond, square };
  double x = 0.0;
  double y = 0.0;
  Shape shape = Shape::circle;
  int colour = 0;
  std::string label;  ///< shown when the pointer rests on it
};

struct Plot {
  std::string title;
  std::string x_label, x_unit;
  std::string y_label, y_unit;
  bool logarithmic = false;    ///< vertical axis; values <= 0 are left out
  bool logarithmic_x = false;  ///< horizontal axis, the same
  int width = 860;
  int height = 400;
  std::vector<Curve> curves;
  std::vector<Mark> marks;
};

/// A complete <svg> element, usable inside HTML and, with its namespace, as a file.
std::string draw(const Plot& plot);

/// Round numbers (1, 2 or 5 times a power of ten) that divide [low, high] into about `wanted` parts, all inside.
std::vector<double> round_ticks(double low, double high, int wanted);
/// Powers of ten in [low, high]; with 2 and 5 times them when fewer than three would be left.
std::vector<double> decade_ticks(double low, double high);

/// & < > " ' written so that HTML and SVG show them.
std::string escape(std::string_view text);

}  // namespace masing::svg
