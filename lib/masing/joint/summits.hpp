// The summits of rough surfaces: what a contact of asperities needs to know, given directly or from a measured profile.
#pragma once

namespace masing {

/// Spherical summits of equal radius, heights about their mean with standard deviation σ.
struct Summits {
  double sigma;    ///< standard deviation of the summit heights [m], > 0
  double radius;   ///< radius of curvature [m], > 0
  double density;  ///< summits on a unit of nominal area, η [1/m²], > 0
};

/// The single rough surface that stands for two alike ones whose summits meet each other: σ² and 1/R add up, η is
/// that of one surface.
Summits two_alike(const Summits& each);

/// What a profilometer prints (ISO 4287 and ASME B46.1 names).
struct ProfileRoughness {
  double Rq;         ///< root mean square height [m]
  double Rsm;        ///< mean width of the profile elements: distance between upward crossings of the mean line [m]
  double Rpc;        ///< peaks on a unit of length [1/m]
  double Rsk = 0.0;  ///< skewness of the heights
  double Rku = 3.0;  ///< kurtosis of the heights
};

/// Spectral moments of a profile: mean squares of height, slope and curvature.
struct SpectralMoments {
  double m0;  ///< [m²]
  double m2;  ///< []
  double m4;  ///< [1/m²]

  double bandwidth() const { return m0 * m4 / (m2 * m2); }  ///< α = m0 m4/m2², at least 1.5 for an isotropic surface
};

/// Of the sum of two alike surfaces that know nothing of each other: mean squares add up.
SpectralMoments two_alike(const SpectralMoments& each);

/// Read as those of a Gaussian process, which crosses its mean line upwards √(m2/m0)/2π times and has √(m4/m2)/2π
/// peaks on a unit of length (Longuet-Higgins):
///
///   m0 = Rq²,     m2 = m0 (2π/Rsm)²,     m4 = m2 (2π Rpc)²,     so that  α = (Rpc Rsm)²
///
/// Skewness and kurtosis do not enter; they tell whether "Gaussian" is right (0 and 3). Throws ModelError for
/// parameters that no profile (Rku < Rsk² + 1) or no isotropic surface (α < 1.5) can have.
SpectralMoments spectral_moments(const ProfileRoughness& profile);

/// Summits of an isotropic Gaussian surface with these moments along any line (McCool, Wear 107 (1986) 37–60):
///
///   σ = √((1 − 0.8968/α) m0),     R = (3/8) √(π/m4),     η = m4/(6π√3 m2)
///
/// For two surfaces take the moments of their sum: its σ is √2, its R 1/√2 times that of one surface, its η the same.
/// (Summits that meet each other, as in two_alike(Summits), have R/2: a stiffness that is lower by 4 % on the example
/// of docs/surface-physics.md.)
Summits summits(const SpectralMoments& moments);

}  // namespace masing
