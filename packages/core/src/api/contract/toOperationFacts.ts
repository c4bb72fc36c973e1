/** Derives the facts of an operation from the contract. */
import * as Context from "effect/Context"
import type { ErrorRules } from "../errors/toErrorResponse.ts"
import { type ContractOperation, type Endpoint, resolveStatus } from "./ContractOperation.ts"
import { commonErrors } from "./ErrorEnvelope.ts"
import {
  BodyRules,
  ErrorFormat,
  HasClosedStatuses,
  HidesKeyProblems,
  NoStore,
  RawBody,
  RequiredCaller,
  RequiresInternAccess,
  TimeLimited,
  UnavailableStatus
} from "./operationAnnotations.ts"
import type { OperationFacts } from "./OperationFacts.ts"

export const toOperationFacts = ({
  annotations,
  endpoint,
  group,
  name
}: ContractOperation): OperationFacts => {
  const timeLimited = Context.get(annotations, TimeLimited)
  const refusesForms =
    endpoint.method !== "GET" && Context.get(annotations, BodyRules).hasStrictContentType !== true
  const errorRules = toErrorRules(annotations, endpoint)
  return {
    group,
    name,
    method: endpoint.method,
    path: `/${endpoint.path.slice(1)}`,
    requiredCaller: Context.get(annotations, RequiredCaller),
    status: findSuccessStatus(endpoint),
    ...(refusesForms ? { refusesForms } : undefined),
    ...(Context.get(annotations, RequiresInternAccess)
      ? { requiresInternAccess: true }
      : undefined),
    ...(timeLimited === "never" ? undefined : { timeLimited }),
    ...(Context.get(annotations, NoStore) ? { isSecret: true } : undefined),
    ...(Object.keys(errorRules).length === 0 ? undefined : { errorRules })
  }
}

const toErrorRules = (
  annotations: ContractOperation["annotations"],
  endpoint: Endpoint
): ErrorRules => {
  const envelope = Context.get(annotations, ErrorFormat)
  const unavailableStatus = Context.get(annotations, UnavailableStatus)
  const runsModel =
    Context.get(annotations, RawBody) && Context.get(annotations, RequiredCaller) === "model"
  return {
    ...(envelope === "openrouter" ? undefined : { envelope }),
    ...(unavailableStatus === 500 ? undefined : { unavailableStatus }),
    ...(Context.get(annotations, HidesKeyProblems) ? { hidesKeyProblems: true } : undefined),
    ...(runsModel ? { runsModel } : undefined),
    ...(Context.get(annotations, HasClosedStatuses)
      ? { statuses: listStatuses(endpoint) }
      : undefined)
  }
}

const findSuccessStatus = ({ success }: Endpoint): number => {
  const [first] = success
  if (first === undefined || first.ast._tag === "Void") return 204
  return resolveStatus(first.ast) ?? 200
}

const listStatuses = ({ error }: Endpoint): ReadonlyArray<number> =>
  Array.from(
    new Set([...error, ...commonErrors].flatMap(({ ast }) => resolveStatus(ast) ?? []))
  ).toSorted((one, other) => one - other)
