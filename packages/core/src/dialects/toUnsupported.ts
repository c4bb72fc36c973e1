/** Converts the failure to express a request in a provider's dialect to an `UpstreamFailure`. */
import { UpstreamFailure } from "../engine/upstreams/failures/UpstreamFailure.ts"
import type { UntranslatableRequest } from "./UntranslatableRequest.ts"

/** Another endpoint may serve the request. */
export const toUnsupported = ({ path, problem }: UntranslatableRequest): UpstreamFailure =>
  new UpstreamFailure({
    kind: "unsupported_parameter",
    detail: path.length === 0 ? problem : `${path.join(".")} ${problem}`
  })
