/** Small indexes for tests. */
import * as Configuration from "../../../src/engine/catalog/Configuration.ts"
import type { EndpointConfig } from "../../../src/engine/catalog/endpoint/Endpoint.ts"
import type { ModelConfig } from "../../../src/engine/catalog/model/Model.ts"
import * as ModelIndex from "../../../src/domains/listing/ModelIndex.ts"
import { makeUpstreams } from "./referenceCatalog.ts"

export const makeIndex = (models: ReadonlyArray<ModelConfig>): ModelIndex.ModelIndex =>
  ModelIndex.make(Configuration.make(1, makeUpstreams(models), models))

/** A model with one endpoint by default. */
export const makeModel = (id: string, overrides: Partial<ModelConfig> = {}): ModelConfig => ({
  id,
  endpoints: [makeEndpoint()],
  ...overrides
})

export const makeEndpoint = (overrides: Partial<EndpointConfig> = {}): EndpointConfig => ({
  provider: "one",
  price: { prompt: "0.000001", completion: "0.000002" },
  ...overrides
})
