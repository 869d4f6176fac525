#include "progress_line.hpp"

#include "masing/io/study_overview.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace masing::app {
namespace {

using namespace std::chrono_literals;

/// Below this share the time left would be a guess.
constexpr double fraction_for_estimate = 0.02;

/// Cut so that it stays on one line of the terminal; a cut never splits a character.
std::string fitted(std::string text) {
  winsize window{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col < 2) return text;
  std::size_t length = std::min<std::size_t>(text.size(), window.ws_col - 1U);
  while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  text.resize(length);
  return text;
}

}  // namespace

ProgressStyle choose_style(bool quiet) {
  if (quiet) return ProgressStyle::quiet;
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::terminal : ProgressStyle::log;
}

std::string progress_text(const Progress& progress) {
  std::string text = fmt::format("{}: {} points", progress.task, progress.points);
  if (progress.frequency > 0.0) {
    text = fmt::format("{}: {:.6g} Hz, amplitude {:.3e}, step {:.2g}, {} iterations, {} points", progress.task,
                       progress.frequency, progress.amplitude, progress.step, progress.iterations, progress.points);
  }
  if (progress.finished) return text + ", " + duration_text(progress.seconds);
  text += fmt::format(", {:.0f} %", 100.0 * progress.fraction);
  if (progress.fraction > fraction_for_estimate) {
    text += fmt::format(", {} left", duration_text(progress.seconds * (1.0 / progress.fraction - 1.0)));
  }
  return text;
}

void ProgressLine::show(const Progress& progress) {
  if (style_ == ProgressStyle::quiet) return;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  const auto pause = style_ == ProgressStyle::terminal ? 100ms : 10000ms;
  const auto [last, first_time] = last_.try_emplace(progress.task, now);
  if (!progress.finished && now - last->second < pause) return;
  last->second = now;
  if (style_ == ProgressStyle::log) {
    fmt::print(stderr, "{}\n", progress_text(progress));
  } else {
    fmt::print(stderr, "\r\033[K{}{}", fitted(progress_text(progress)), progress.finished ? "\n" : "");
    drawn_ = !progress.finished;
  }
  std::fflush(stderr);
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace masing::app
