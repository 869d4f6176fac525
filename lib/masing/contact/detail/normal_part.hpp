// The normal part of the response of a law whose last input is the approach.
#pragma once

#include "masing/contact/law.hpp"
#include "masing/contact/normal_contact.hpp"

namespace masing::detail {

/// Sets the last force, N − preload, and its derivative; returns N and dN/dw.
template <int D, int M>
NormalContact::Value set_normal_part(const NormalContact& contact, const Motion<D>& motion, Response<D, M>& response) {
  const NormalContact::Value normal = contact.at(motion.displacement[D - 1]);
  response.force[D - 1] = normal.load - contact.preload();
  response.by_displacement(D - 1, D - 1) = normal.stiffness;
  return normal;
}

}  // namespace masing::detail
