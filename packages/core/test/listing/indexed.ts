/** Small indexes for tests. */
import * as Configuration from "../../src/catalog/Configuration.ts"
import type { EndpointConfig } from "../../src/catalog/Endpoint.ts"
import type { ModelConfig } from "../../src/catalog/Model.ts"
import * as ModelIndex from "../../src/listing/ModelIndex.ts"
import { upstreamsOf } from "./referenceCatalog.ts"

export const indexed = (models: ReadonlyArray<ModelConfig>): ModelIndex.ModelIndex =>
  ModelIndex.make(Configuration.make(1, upstreamsOf(models), models))

/** A model with one endpoint, unless told otherwise. */
export const model = (id: string, told: Partial<ModelConfig> = {}): ModelConfig => ({
  id,
  endpoints: [endpoint()],
  ...told
})

export const endpoint = (told: Partial<EndpointConfig> = {}): EndpointConfig => ({
  provider: "one",
  price: { prompt: "0.000001", completion: "0.000002" },
  ...told
})
