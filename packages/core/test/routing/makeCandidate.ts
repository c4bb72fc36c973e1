/** Candidates for tests, from the configuration of a host. */
import * as Endpoint from "../../src/engine/catalog/endpoint/Endpoint.ts"
import * as Candidate from "../../src/routing/Candidate.ts"
import { ModelSlug } from "../../src/values/ids/Ids.ts"

export interface CandidateConfig extends Partial<Endpoint.EndpointConfig> {
  readonly provider: string
  /** Default: `a/b`. */
  readonly of?: string
  /** Default: the provider's slug. */
  readonly name?: string
  readonly distillable?: boolean
  readonly needsOneOf?: ReadonlyArray<string>
  readonly checksParameters?: true
  readonly reasoningFamily?: string
}

/** Costs 1 USD per million tokens by default. */
export const makeCandidate = ({
  checksParameters,
  distillable,
  name,
  needsOneOf,
  of,
  reasoningFamily,
  ...config
}: CandidateConfig): Candidate.Candidate => {
  const endpoint = Endpoint.make(ModelSlug.make(of ?? "a/b"), {
    price: { prompt: "0.000001", completion: "0.000001" },
    allowHighPrice: true,
    ...config
  })
  return Candidate.make({
    endpoint,
    providerName: name ?? config.provider,
    distillable: distillable ?? false,
    ...(needsOneOf === undefined ? undefined : { needsOneOf }),
    ...(checksParameters === undefined ? undefined : { checksParameters }),
    ...(reasoningFamily === undefined ? undefined : { reasoningFamily })
  })
}

/** `usd` per million tokens of prompt and completion alike; undefined is an unknown price. */
export const makePricedCandidate = (
  provider: string,
  usd: number | undefined
): Candidate.Candidate =>
  makeCandidate({
    provider,
    price: usd === undefined ? {} : { prompt: String(usd * 1e-6), completion: String(usd * 1e-6) }
  })
