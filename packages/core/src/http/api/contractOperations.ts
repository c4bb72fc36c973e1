/** The operations of the contract, one by one. */
import * as Context from "effect/Context"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { Api } from "./Api.ts"

type Groups = (typeof Api)["groups"]

/** Such as `keys.list`. */
export type OperationId = {
  [Group in keyof Groups]: `${Group}.${Extract<keyof Groups[Group]["endpoints"], string>}`
}[keyof Groups]

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

export interface ContractOperation {
  readonly group: string
  readonly name: string
  readonly endpoint: Endpoint
  /** Those of the endpoint, over those of its group. */
  readonly annotations: Context.Context<never>
}

export const contractOperations: ReadonlyArray<ContractOperation> = Object.values(
  Api.groups
).flatMap((group) =>
  Object.values(group.endpoints).map((endpoint) => ({
    group: group.identifier,
    name: endpoint.identifier,
    endpoint,
    annotations: Context.merge(group.annotations, endpoint.annotations)
  }))
)
