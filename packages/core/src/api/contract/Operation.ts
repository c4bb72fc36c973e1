/** One operation of the contract, and how it follows from its group there. */
import * as Context from "effect/Context"
import * as SchemaAST from "effect/SchemaAST"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { CallerRequirement } from "../../tenants/auth/permissions.ts"
import type { ErrorRules } from "../errors/toErrorResponse.ts"
import { commonErrors } from "./ErrorEnvelope.ts"
import {
  BodyRules,
  ErrorFormat,
  HasClosedStatuses,
  HidesKeyProblems,
  NoStore,
  RawBody,
  TakesForms,
  RequiredCaller,
  RequiresInternAccess,
  type TimeLimit,
  TimeLimited,
  UnavailableStatus
} from "./operationAnnotations.ts"

export type Endpoint = Pick<
  HttpApiEndpoint.Top,
  | "error"
  | "headers"
  | "method"
  | "middlewares"
  | "params"
  | "path"
  | "payload"
  | "query"
  | "success"
>

/** One operation of the contract, as the server knows it before it loads the contract. */
export interface Operation {
  readonly group: string
  /** Unique in its group. */
  readonly name: string
  readonly method: string
  /** Path relative to the mount, with parameters as `:name`. */
  readonly path: `/${string}`
  readonly requiredCaller: CallerRequirement
  /** Status of a success, unless the handler returns a `Reply` with another. */
  readonly status: number
  /** Whether HTML form bodies are rejected first, because pages of any site can send them without CORS. */
  readonly refusesForms?: boolean
  /** It takes forms with files all the same. */
  readonly takesForms?: boolean
  readonly requiresInternAccess?: boolean
  /** Default: `never`. */
  readonly timeLimited?: TimeLimit
  /** Whether successful responses must not be cached. */
  readonly isSecret?: boolean
  readonly errorRules?: ErrorRules
}

/** Identifies an operation, such as `keys.list`. */
export const toOperationId = ({ group, name }: Pick<Operation, "group" | "name">): string =>
  `${group}.${name}`

/** An operation with its part of the contract. */
export interface DefinedOperation extends Operation {
  readonly endpoint: Endpoint
  /** Annotations of the endpoint take precedence over its group's. */
  readonly annotations: Context.Context<never>
}

/** A group of the contract. */
export interface ContractGroup {
  readonly identifier: string
  readonly annotations: Context.Context<never>
  readonly endpoints: Readonly<
    Record<string, Endpoint & Pick<HttpApiEndpoint.Top, "annotations" | "identifier">>
  >
}

/** The operations of groups, as in `listOperations(...Object.values(Api.groups))`. */
export const listOperations = (
  ...groups: ReadonlyArray<ContractGroup>
): ReadonlyArray<DefinedOperation> =>
  groups.flatMap((group) =>
    Object.values(group.endpoints).map((endpoint) => {
      const annotations = Context.merge(group.annotations, endpoint.annotations)
      return {
        group: group.identifier,
        name: endpoint.identifier,
        ...toFacts(endpoint, annotations),
        endpoint,
        annotations
      }
    })
  )

const toFacts = (
  endpoint: Endpoint,
  annotations: DefinedOperation["annotations"]
): Omit<Operation, "group" | "name"> => {
  const timeLimited = Context.get(annotations, TimeLimited)
  const refusesForms =
    endpoint.method !== "GET" && Context.get(annotations, BodyRules).hasStrictContentType !== true
  const errorRules = toErrorRules(endpoint, annotations)
  return {
    method: endpoint.method,
    path: `/${endpoint.path.slice(1)}`,
    requiredCaller: Context.get(annotations, RequiredCaller),
    status: findSuccessStatus(endpoint),
    ...(refusesForms ? { refusesForms } : undefined),
    ...(Context.get(annotations, TakesForms) ? { takesForms: true } : undefined),
    ...(Context.get(annotations, RequiresInternAccess)
      ? { requiresInternAccess: true }
      : undefined),
    ...(timeLimited === "never" ? undefined : { timeLimited }),
    ...(Context.get(annotations, NoStore) ? { isSecret: true } : undefined),
    ...(Object.keys(errorRules).length === 0 ? undefined : { errorRules })
  }
}

const toErrorRules = (
  endpoint: Endpoint,
  annotations: DefinedOperation["annotations"]
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

/** The status that a success or error schema declares. */
const resolveStatus = SchemaAST.resolveAt<number>("httpApiStatus")

const findSuccessStatus = ({ success }: Endpoint): number => {
  const [first] = success
  if (first === undefined || first.ast._tag === "Void") return 204
  return resolveStatus(first.ast) ?? 200
}

const listStatuses = ({ error }: Endpoint): ReadonlyArray<number> =>
  Array.from(
    new Set([...error, ...commonErrors].flatMap(({ ast }) => resolveStatus(ast) ?? []))
  ).toSorted((one, other) => one - other)
