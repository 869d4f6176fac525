#include "masing/io/detail/wrapped_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace masing::detail {
namespace {

constexpr std::size_t line_width = 100;

}  // namespace

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string result;
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) result += fmt::format("{:{}}{}\n", "", indent, line);
    line.clear();
  };
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && indent + width_of(line) + 1 + width_of(word) > line_width) flush();
    if (!line.empty() && !word.empty()) line += ' ';
    line += word;
    if (end < text.size() && text[end] == '\n') flush();
    begin = end + 1;
  }
  flush();
  return result;
}

}  // namespace masing::detail
