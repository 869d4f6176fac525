// [structure]
#include "masing/core/error.hpp"
#include "masing/core/text.hpp"
#include "masing/io/detail/distributed_joint.hpp"
#include "masing/io/matrix_file.hpp"
#include "masing/io/study_schema.hpp"
#include "masing/structure/catalogue.hpp"

namespace masing::detail {
namespace {

std::shared_ptr<const Structure> read_structure(StudyDocument& document) {
  require(document.root.has("structure"), "{}: [structure] is missing. `masing describe structure` lists the kinds.",
          document.root.where(""));
  OptionValues values = table_of(document, "structure");
  const std::string kind = deciding_text(values, find_section("structure")->table, "kind");
  const StructureEntry* entry = find_structure(kind);
  if (entry == nullptr) {
    std::vector<std::string> kinds;
    for (const StructureEntry& known : structure_catalogue()) kinds.push_back(known.name);
    values.reject("kind", fmt::format("is not known.{}", suggestion(kind, kinds)));
  }
  values.complete(joined(find_section("structure")->table, entry->parameters));
  document.sections.push_back({"structure", values});
  add_gauss_places(document, *entry, values);
  const MatrixLoader loader = matrix_loader(document.folder);
  return placed(values, document, [&] { return entry->make(values, loader); });
}

}  // namespace

ModelPart read_model(StudyDocument& document) {
  ModelPart part;
  part.model.structure = read_structure(document);
  part.joints = read_joints(document, part.model.structure.get(), false);
  part.model.joints = part.joints.attached;
  read_loads(document, part);
  part.model.loads.insert(part.model.loads.end(), part.joints.loads.begin(), part.joints.loads.end());
  return part;
}

ModelPart read_joints_alone(StudyDocument& document) {
  ModelPart part;
  if (document.root.has("structure")) part.model.structure = read_structure(document);
  part.joints = read_joints(document, part.model.structure.get(), true);
  part.model.joints = part.joints.attached;
  return part;
}

}  // namespace masing::detail
