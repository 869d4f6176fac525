#include "masing/io/detail/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace masing::svg {

namespace {

constexpr std::array<const char*, 7> palette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                "#E69F00", "#56B4E9", "#000000"};
constexpr std::array<const char*, 4> dashes = {"", "7 3", "2 3", "9 3 2 3"};
constexpr double left = 74.0, right_bare = 16.0, top = 34.0, bottom = 52.0;
constexpr double margin_share = 0.05;                 // air above and below the curves
constexpr double most_decades = 6.0;                  // of a logarithmic axis, below the largest value
constexpr double most_decades_of_a_power_law = 18.0;  // the same when both axes are logarithmic

const char* colour_of(int colour) { return palette[static_cast<std::size_t>(colour) % palette.size()]; }

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Never empty: nothing seen becomes [0, 1], one value gets room around it.
  void repair() {
    if (low > high) *this = {0.0, 1.0};
    if (low == high) {
      const double room = low == 0.0 ? 1.0 : 0.1 * std::abs(low);
      *this = {low - room, high + room};
    }
  }
};

// Data to picture.
struct Frame {
  Range x, y;
  bool logarithmic = false, logarithmic_x = false;
  double width = 0.0, height = 0.0;  // of the area inside the axes
  double unit_factor = 1.0;          // what the labels of the vertical axis are divided by
  double unit_factor_x = 1.0;

  bool shows(double px, double py) const {
    return std::isfinite(px) && std::isfinite(py) && (!logarithmic || py >= y.low) && (!logarithmic_x || px > 0.0);
  }
  static double share(const Range& range, double value, bool log) {
    return log ? std::log(value / range.low) / std::log(range.high / range.low)
               : (value - range.low) / (range.high - range.low);
  }
  double across(double value) const { return left + width * share(x, value, logarithmic_x); }
  double down(double value) const { return top + height * (1.0 - share(y, value, logarithmic)); }
};

// Powers of a thousand for axes with very large or very small numbers.
double unit_factor_of(const Range& range, bool logarithmic) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const bool plain = logarithmic || largest == 0.0 || (largest >= 0.01 && largest < 1e4);
  return plain ? 1.0 : std::pow(10.0, 3.0 * std::floor(std::log10(largest) / 3.0));
}

void fit_horizontal(const Plot& plot, Frame& frame) {
  for (const Curve& curve : plot.curves)
    for (const double x : curve.x)
      if (std::isfinite(x) && (!plot.logarithmic_x || x > 0.0)) frame.x.include(x);
  if (plot.logarithmic_x && frame.x.low >= frame.x.high) {
    const double middle = frame.x.low > frame.x.high ? 1.0 : frame.x.low;
    frame.x = {middle / 2.0, middle * 2.0};
  }
  frame.x.repair();
}

void fit_vertical(const Plot& plot, Frame& frame) {
  Range& y = frame.y;
  for (const Curve& curve : plot.curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!std::isfinite(curve.y[i]) || (plot.logarithmic && curve.y[i] <= 0.0)) continue;
      y.include(curve.y[i]);
    }
  if (plot.logarithmic) {
    if (y.low > y.high) y = {0.1, 1.0};
    const double decades = plot.logarithmic_x ? most_decades_of_a_power_law : most_decades;
    y.low = std::max(y.low, y.high * std::pow(10.0, -decades)) / 1.3;
    y.high *= 1.3;
    return;
  }
  y.repair();
  const double air = margin_share * (y.high - y.low);
  y = {y.low >= 0.0 && y.low < 0.3 * y.high ? 0.0 : y.low - air, y.high + air};
}

/// At the right, wide enough for the longest label, but never more than half of the plot.
double legend_room(const Plot& plot) {
  constexpr double least = 120.0, line = 48.0, letter = 7.0;
  const auto begins_letter = [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; };  // UTF-8
  double longest = 0.0;
  for (const Curve& curve : plot.curves) {
    const auto letters = std::count_if(curve.label.begin(), curve.label.end(), begins_letter);
    longest = std::max(longest, static_cast<double>(letters));
  }
  return std::clamp(line + letter * longest, least, 0.5 * plot.width);
}

Frame frame_of(const Plot& plot, bool legend) {
  Frame frame;
  frame.logarithmic = plot.logarithmic;
  frame.logarithmic_x = plot.logarithmic_x;
  fit_horizontal(plot, frame);
  fit_vertical(plot, frame);
  frame.width = plot.width - left - (legend ? legend_room(plot) : right_bare);
  frame.height = plot.height - top - bottom;
  frame.unit_factor = unit_factor_of(frame.y, plot.logarithmic);
  frame.unit_factor_x = unit_factor_of(frame.x, plot.logarithmic_x);
  return frame;
}

std::string text_at(double x, double y, std::string_view attributes, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, escape(text));
}

std::string tick_label(double value) {
  if (value == 0.0) return "0";
  std::string label = fmt::format("{:.6g}", value);
  if (label.front() == '-') label.replace(0, 1, "\u2212");
  return label;
}

std::string axis_name(const std::string& label, const std::string& unit, double factor) {
  if (factor == 1.0) return unit.empty() ? label : fmt::format("{} ({})", label, unit);
  const int power = static_cast<int>(std::lround(std::log10(factor)));
  std::string exponent;
  for (const char c : std::to_string(power)) {
    static const std::array<const char*, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    exponent += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  }
  return fmt::format("{} (10{}{}{})", label, exponent, unit.empty() ? "" : " ", unit);
}

std::string axes(const Plot& plot, const Frame& frame) {
  const double base = top + frame.height;
  std::string out;
  const double first = frame.x.low / frame.unit_factor_x, last = frame.x.high / frame.unit_factor_x;
  for (const double tick : plot.logarithmic_x ? decade_ticks(first, last) : round_ticks(first, last, 8)) {
    const double x = frame.across(tick * frame.unit_factor_x);
    out += fmt::format("<path class=\"grid\" stroke=\"#e3e6ea\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>", x, top, base);
    out += text_at(x, base + 18.0, "text-anchor=\"middle\"", tick_label(tick));
  }
  const double low = frame.y.low / frame.unit_factor, high = frame.y.high / frame.unit_factor;
  for (const double tick : plot.logarithmic ? decade_ticks(low, high) : round_ticks(low, high, 6)) {
    const double y = frame.down(tick * frame.unit_factor);
    out += fmt::format("<path class=\"grid\" stroke=\"#e3e6ea\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>", left, y, frame.width);
    out += text_at(left - 8.0, y + 4.0, "text-anchor=\"end\"", tick_label(tick));
  }
  out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#8a929b\"/>\n",
                     left, top, frame.width, frame.height);
  out += text_at(left + frame.width / 2.0, plot.height - 12.0, "text-anchor=\"middle\"",
                 axis_name(plot.x_label, plot.x_unit, frame.unit_factor_x));
  out += fmt::format("<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     top + frame.height / 2.0, escape(axis_name(plot.y_label, plot.y_unit, frame.unit_factor)));
  return out + text_at(left, 20.0, "font-weight=\"600\" fill=\"#1f2933\"", plot.title);
}

std::string style_of(const Curve& curve) {
  const std::size_t round = static_cast<std::size_t>(curve.colour) / palette.size() + (curve.dashed ? 1 : 0);
  const std::string dash = dashes[round % dashes.size()];
  return fmt::format("stroke=\"{}\" stroke-width=\"1.8\"{}", colour_of(curve.colour),
                     dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

std::string line(const Curve& curve, const Frame& frame) {
  std::string path;
  bool drawing = false;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const bool shown = frame.shows(curve.x[i], curve.y[i]);
    if (shown)
      path += fmt::format("{}{:.2f} {:.2f}", drawing ? "L" : "M", frame.across(curve.x[i]), frame.down(curve.y[i]));
    drawing = shown;
  }
  return fmt::format("<path class=\"curve\" data-label=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {} d=\"{}\"/>\n",
                     escape(curve.label), style_of(curve), path);
}

std::string symbol(const Mark& mark, const Frame& frame) {
  if (!frame.shows(mark.x, mark.y)) return {};
  const double x = frame.across(mark.x), y = frame.down(mark.y);
  std::string shape = fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4.2\"", x, y);
  if (mark.shape == Mark::Shape::diamond) {
    shape = fmt::format("<path d=\"M{:.2f} {:.2f}l4.5 4.5l-4.5 4.5l-4.5 -4.5z\"", x, y - 4.5);
  } else if (mark.shape == Mark::Shape::square) {
    shape = fmt::format("<path d=\"M{:.2f} {:.2f}h7.6v7.6h-7.6z\"", x - 3.8, y - 3.8);
  }
  const char* fill = mark.shape == Mark::Shape::circle ? colour_of(mark.colour) : "#ffffff";
  return fmt::format("{} fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"><title>{}</title>{}\n", shape, fill,
                     colour_of(mark.colour), escape(mark.label),
                     mark.shape == Mark::Shape::circle ? "</circle>" : "</path>");
}

std::string legend(const Plot& plot, const Frame& frame, double entries) {
  const double x = left + frame.width + 14.0, spacing = std::min(18.0, frame.height / entries);
  double y = top + 10.0;
  std::string out;
  for (const Curve& curve : plot.curves) {
    if (curve.label.empty()) continue;
    out += fmt::format("<path fill=\"none\" {} d=\"M{:.1f} {:.1f}h22\"/>", style_of(curve), x, y);
    out += text_at(x + 28.0, y + 4.0, "", curve.label);
    y += spacing;
  }
  return out;
}

}  // namespace

std::string draw(const Plot& plot) {
  const auto labelled =
      std::count_if(plot.curves.begin(), plot.curves.end(), [](const Curve& c) { return !c.label.empty(); });
  const Frame frame = frame_of(plot, labelled > 0);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" font-size=\"12\" "
      "font-family=\"system-ui, 'DejaVu Sans', sans-serif\" fill=\"#46505a\" role=\"img\" data-left=\"{}\" "
      "data-top=\"{}\" "
      "data-width=\"{:.2f}\" data-height=\"{:.2f}\" data-x=\"{:.9g} {:.9g}\" data-y=\"{:.9g} {:.9g}\" data-log=\"{}\" "
      "data-log-x=\"{}\" "
      "data-units=\"{}|{}\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      plot.width, plot.height, plot.width, plot.height, left, top, frame.width, frame.height, frame.x.low, frame.x.high,
      frame.y.low, frame.y.high, plot.logarithmic ? 1 : 0, plot.logarithmic_x ? 1 : 0, escape(plot.x_unit),
      escape(plot.y_unit), escape(plot.title));
  out += axes(plot, frame);
  for (const Curve& curve : plot.curves) out += line(curve, frame);
  for (const Mark& mark : plot.marks) out += symbol(mark, frame);
  if (labelled > 0) out += legend(plot, frame, static_cast<double>(labelled));
  return out + "</svg>\n";
}

}  // namespace masing::svg
