/** Makes the instance with `MODELS` models. */
import { Signalbox } from "@signalbox/node"
import { makeUpstreams } from "../../packages/core/test/domains/listing/referenceCatalog.ts"
import { makeModels } from "../makeModels.ts"

export const makeCatalogInstance = () => {
  const models = makeModels(Number(process.env["MODELS"]))
  return Signalbox.make({
    upstreams: makeUpstreams(models),
    models,
    keys: [{ key: "sk-bench", kind: "member", user: "ada" }]
  })
}
