/** Says that the host has no key to seal a secret with. */
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"

/** `path` leads to the secret in the request. */
export const toSealingProblem =
  (path: ReadonlyArray<string>, problem = "cannot be kept") =>
  (): InvalidRequest =>
    new InvalidRequest({
      path,
      problem: `${problem}: this service has no key to seal it with; set the option \`sealing\``
    })
