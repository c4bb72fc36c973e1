/** One operation of the contract: its endpoint and its annotations. */
import * as Context from "effect/Context"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as SchemaAST from "effect/SchemaAST"

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

export const listOperations = (group: ContractGroup): ReadonlyArray<ContractOperation> =>
  Object.values(group.endpoints).map((endpoint) => ({
    group: group.identifier,
    name: endpoint.identifier,
    endpoint,
    annotations: Context.merge(group.annotations, endpoint.annotations)
  }))

/** The status that a success or error schema declares. */
export const resolveStatus = SchemaAST.resolveAt<number>("httpApiStatus")
