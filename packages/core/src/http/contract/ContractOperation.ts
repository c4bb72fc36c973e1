/** One operation of the contract: its endpoint and its annotations. */
import type * as Context from "effect/Context"
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
  /** Annotations of the endpoint take precedence over those of its group. */
  readonly annotations: Context.Context<never>
}

/** Identifies an operation, such as `keys.list`. */
export const toOperationKey = ({
  group,
  name
}: Pick<ContractOperation, "group" | "name">): string => `${group}.${name}`

/** The status that a success or error schema declares. */
export const resolveStatus = SchemaAST.resolveAt<number>("httpApiStatus")
