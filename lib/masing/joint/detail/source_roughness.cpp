#include "masing/contact/backbones.hpp"
#include "masing/core/error.hpp"
#include "masing/joint/detail/source_parts.hpp"
#include "masing/joint/maxwell_slip.hpp"
#include "masing/joint/roughness.hpp"

#include <fmt/core.h>

#include <cmath>

namespace masing::detail {
namespace {

OptionTable summit_keys(const std::string& whose) {
  return {real_key("sigma", "m", Range::positive(), "standard deviation of the summit heights" + whose),
          real_key("radius", "m", Range::positive(), "radius of curvature of the summits" + whose),
          real_key("density", "1/m²", Range::positive(), "summits on a unit of nominal area" + whose)};
}

OptionTable profile_keys() {
  Option skewness =
      real_key("Rsk", "", Range::any(), "skewness of the heights; 0 for Gaussian ones, does not enter the summits");
  skewness.fallback = {0.0};
  Option kurtosis = real_key("Rku", "", Range::positive(),
                             "kurtosis of the heights; 3 for Gaussian ones, does not enter the summits");
  kurtosis.fallback = {3.0};
  return {real_key("Rq", "m", Range::positive(), "root mean square height of the profile"),
          real_key("Rsm", "m", Range::positive(), "mean width of the profile elements"),
          real_key("Rpc", "1/m", Range::positive(), "peak count: peaks a metre (51 a centimetre are 5100)"), skewness,
          kurtosis};
}

Option roughness_option() {
  return kind_key(
      "roughness",
      {{.name = "summits",
        .summary = "summits of each of two alike surfaces",
        .table = summit_keys(", of each surface")},
       {.name = "combined",
        .summary = "summits of the single rough surface that stands for both: rough on smooth, or two different ones",
        .table = summit_keys("")},
       {.name = "profile",
        .summary = "profile parameters of each of two alike surfaces; summits by spectral moments (McCool 1986)",
        .table = profile_keys()}},
      "how rough the surfaces are");
}

Option elements_option() {
  const Option regions = {
      .name = "regions", .kinds = {OptionKind::integer}, .range = Range::at_least(1), .meaning = "height regions"};
  const Option annuli = {.name = "annuli",
                         .kinds = {OptionKind::integer},
                         .range = Range::at_least(1),
                         .meaning = "annuli of the contact circle in each region"};
  const Option count = {.name = "count",
                        .kinds = {OptionKind::integer},
                        .range = Range::at_least(1),
                        .meaning = "number of Jenkins elements"};
  Option option = kind_key(
      "elements",
      {{.name = "exact", .summary = "no elements: the exact Q(x)"},
       {.name = "printed",
        .summary = "Jenkins elements whose slip force is the Hertz pressure over their annulus",
        .table = {regions, annuli}},
       {.name = "consistent",
        .summary = "Jenkins elements whose slip force follows from Mindlin's stick radius",
        .table = {regions, annuli}},
       {.name = "binned",
        .summary =
            "Jenkins elements from Q(x) divided into equal steps of displacement: the most accurate for their number",
        .table = {count}}},
      "the continuous interface, or a Maxwell-slip model of it");
  OptionValues exact;
  exact.set("kind", std::string("exact"));
  option.fallback = {std::vector<OptionValues>{exact}};
  return option;
}

OptionTable parameters() {
  Option heights = {.name = "heights",
                    .kinds = {OptionKind::text},
                    .fallback = {std::string("gaussian")},
                    .choices = {"gaussian", "exponential"},
                    .meaning = "distribution of the summit heights"};
  Option cut_off = real_key("cut_off", "σ", Range::positive(),
                            "height of the highest summit; 12 is none for Gaussian heights, 60 for exponential ones");
  cut_off.fallback = {3.0};
  return {
      real_key("normal_load", "N", Range::positive(), "normal load of the interface"),
      optional_key(real_key("friction", "", Range::positive(), "friction coefficient; or give strength_to_hardness")),
      optional_key(real_key("strength_to_hardness", "", Range::positive(),
                            "shear strength over hardness S/H of the softer material; friction = S/H + 0.1")),
      real_key("area", "m²", Range::positive(), "nominal contact area"),
      material_key("material", "material of both surfaces; or give lower and upper"),
      material_key("lower", "material of the lower surface"),
      material_key("upper", "material of the upper surface"),
      roughness_option(),
      heights,
      cut_off,
      elements_option()};
}

double friction_of(const OptionValues& values) {
  if (values.has("friction") && values.has("strength_to_hardness")) {
    values.reject("strength_to_hardness", "and friction say the same twice. Leave one of them out.");
  }
  if (values.has("friction")) return values.number("friction");
  if (!values.has("strength_to_hardness")) {
    values.reject("friction", "is missing. Give friction, or strength_to_hardness.");
  }
  return friction_of_strength(values.number("strength_to_hardness"));
}

std::pair<ElasticMaterial, ElasticMaterial> materials_of(const OptionValues& values) {
  const bool both = values.has("lower") && values.has("upper");
  const bool any = values.has("lower") || values.has("upper");
  if (values.has("material") && !any) return {elastic(values.table("material")), elastic(values.table("material"))};
  if (!both || values.has("material")) {
    values.reject("material", "must be given alone, or instead of it both lower and upper.");
  }
  return {elastic(values.table("lower")), elastic(values.table("upper"))};
}

Summits summits_of(const OptionValues& values, std::vector<std::string>& notes) {
  const std::string& kind = values.text("kind");
  if (kind == "profile") {
    const ProfileRoughness profile{.Rq = values.number("Rq"),
                                   .Rsm = values.number("Rsm"),
                                   .Rpc = values.number("Rpc"),
                                   .Rsk = values.number("Rsk"),
                                   .Rku = values.number("Rku")};
    const SpectralMoments moments = spectral_moments(profile);
    const Summits each = summits(moments);
    notes.push_back(
        fmt::format("summits of each surface from the profile: sigma {:.6g} m, radius {:.6g} m, density {:.6g} 1/m² "
                    "(bandwidth {:.4g})",
                    each.sigma, each.radius, each.density, moments.bandwidth()));
    constexpr double visible = 0.5;  // skewness or excess kurtosis that changes the upper tail noticeably
    if (std::abs(profile.Rsk) > visible || std::abs(profile.Rku - 3.0) > visible) {
      notes.push_back(
          fmt::format("skewness {:.3g} and kurtosis {:.3g} are far from Gaussian (0 and 3): the summits may be too",
                      profile.Rsk, profile.Rku));
    }
    return summits(two_alike(moments));
  }
  const Summits each{values.number("sigma"), values.number("radius"), values.number("density")};
  return kind == "combined" ? each : two_alike(each);
}

void describe(const RoughInterface& interface, double load, std::vector<std::string>& notes) {
  const RoughContact contact = rough_contact(interface, load);
  const RoughSurfaces& surfaces = interface.surfaces();
  const double uncut = stiffness_without_cut_off(interface, load);
  notes.push_back(
      fmt::format("friction coefficient {:.6g}, slip force {:.6g} N", surfaces.friction, contact.slip_force));
  notes.push_back(fmt::format("separation {:.6g} m, highest summit {:.6g} m", contact.separation, interface.highest()));
  notes.push_back(fmt::format("asperities in contact {:.4g} of {:.4g}", contact.asperities,
                              surfaces.summits.density * surfaces.area));
  notes.push_back(fmt::format("normal stiffness {:.6g} N/m", contact.normal_stiffness));
  notes.push_back(fmt::format("tangential stiffness {:.6g} N/m", contact.tangential_stiffness));
  notes.push_back(fmt::format("tangential stiffness without the cut-off {:.6g} N/m ({:+.1f} %)", uncut,
                              100.0 * (uncut / contact.tangential_stiffness - 1.0)));
  notes.push_back(fmt::format("macroslip of the exact law from {:.6g} m", contact.slip_displacement));
  notes.push_back(fmt::format("Iwan density at zero {:.6g} N/m²", contact.density));
}

BackbonePointer with_elements(const RoughInterface& interface, double load, const OptionValues& elements,
                              std::vector<std::string>& notes) {
  const std::string& kind = elements.text("kind");
  const BackbonePointer exact = rough_backbone(interface, load);
  if (kind == "exact") return exact;
  std::vector<SlipElement> set;
  if (kind == "binned") {
    set = binned_elements(*exact, static_cast<int>(elements.integer("count")));
  } else {
    set = maxwell_slip_elements(
        interface, load,
        {.regions = static_cast<int>(elements.integer("regions")),
         .annuli = static_cast<int>(elements.integer("annuli")),
         .assignment = kind == "printed" ? AnnulusAssignment::printed : AnnulusAssignment::consistent});
  }
  const BackbonePointer result = maxwell_slip_backbone(set);
  notes.push_back(fmt::format("macroslip of the {} elements from {:.6g} m", set.size(), result->macroslip()));
  for (const double share : {0.5, 1.5}) {
    const double amplitude = share * exact->macroslip();
    notes.push_back(fmt::format("loop area of the {} elements at {} times the macroslip of the exact law: {:+.2f} %",
                                set.size(), share,
                                100.0 * (result->loop_energy(amplitude) / exact->loop_energy(amplitude) - 1.0)));
  }
  return result;
}

SourcedBackbone make(const OptionValues& values) {
  SourcedBackbone result;
  const auto [lower, upper] = materials_of(values);
  const RoughInterface interface(
      {.summits = summits_of(values.table("roughness"), result.notes),
       .area = values.number("area"),
       .lower = lower,
       .upper = upper,
       .friction = friction_of(values),
       .heights = values.text("heights") == "gaussian" ? HeightDensity::gaussian : HeightDensity::exponential,
       .cut_off = values.number("cut_off")});
  const double load = values.number("normal_load");
  describe(interface, load, result.notes);
  // A law that divides the backbone itself has a key of that name for a number.
  const bool divided =
      values.has("elements") && std::holds_alternative<std::vector<OptionValues>>(values.at("elements"));
  result.backbone = divided ? with_elements(interface, load, values.table("elements"), result.notes)
                            : rough_backbone(interface, load);
  return result;
}

}  // namespace

BackboneSource roughness_source() {
  return {
      .name = "roughness",
      .summary = "two rough surfaces pressed together: elastic summits that stick and slip as Hertz and Mindlin say",
      .equation =
          "F̂(u) = μ [P(y) − P(y + u/λ)],  P(y) = K η A ∫_y^z_max (z−y)^(3/2) Φ(z) dz,  P(y) = N,\n"
          "λ = μ Ē/(4Ḡ),  macroslip at λ (z_max − y)",
      .reference =
          "H. Jamshidi, H. Ahmadian, Analytical determination of Iwan and Maxwell slip models of an elastic "
          "frictional rough interface, J. Theor. Appl. Vib. Acoust. (2024)",
      .limits =
          "elastic summits of one radius that do not feel each other, parallel surfaces, constant normal load; the "
          "result "
          "depends strongly on the cut-off of the heights and on how roughness was measured: expect the right scaling "
          "with the load, and a stiffness within a factor of several",
      .parameters = parameters(),
      .make = make};
}

}  // namespace masing::detail
