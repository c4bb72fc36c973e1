/** The box whose catalog is listed: as many models as `MODELS` says. */
import { Signalbox } from "@signalbox/node"
import { upstreamsOf } from "../../packages/core/test/listing/referenceCatalog.ts"
import { modelsOf } from "../models.ts"

export const makeCatalogBox = () => {
  const models = modelsOf(Number(process.env["MODELS"]))
  return Signalbox.make({
    upstreams: upstreamsOf(models),
    models,
    keys: [{ key: "sk-bench", kind: "member", user: "ada" }]
  })
}
