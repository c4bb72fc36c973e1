/** A handler answers an operation; its type is derived from the contract. */
import type * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { Simplify } from "effect/Types"
import type { DefaultedParameter } from "../contract/ParameterRule.ts"
import type { Entity, Reply, StreamedReply } from "./Reply.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import type { AnyResponse } from "./JsonAnswer.ts"
import type { RequestContext } from "./RequestContext.ts"

type DefaultedNames<Fields> = {
  [K in keyof Fields]: Fields[K] extends DefaultedParameter<unknown> ? K : never
}[keyof Fields]

/** The typed query of an endpoint; parameters with a default are always present. */
type QueryInput<Fields extends Schema.Struct.Fields> = Simplify<
  Schema.Struct.Type<Fields> &
    Required<
      Pick<Schema.Struct.Type<Fields>, DefaultedNames<Fields> & keyof Schema.Struct.Type<Fields>>
    >
>

type QueryOf<Query> = Query extends {
  readonly schema: { readonly fields: infer Fields extends Schema.Struct.Fields }
}
  ? QueryInput<Fields>
  : {}

type TypeOf<S> = [S] extends [never] ? {} : S extends { readonly Type: infer A } ? A : {}

/** The body of a success; never for operations that return a stream. */
export type ResultOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> =
  Endpoint["~Success"]["Type"] extends infer Success
    ? Success extends Stream.Stream<infer _A, infer _E, infer _R>
      ? never
      : Success
    : never

type OutputOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> =
  | ResultOf<Endpoint>
  | Reply<ResultOf<Endpoint>>
  | Entity
  | StreamedReply<unknown>
  | AnyResponse

export type Handler<Endpoint extends HttpApiEndpoint.ConstraintRequest> = (
  input: {
    readonly params: TypeOf<Endpoint["~Params"]>
    readonly query: [Endpoint["~Query"]] extends [never] ? {} : QueryOf<Endpoint["~Query"]>
    readonly headers: TypeOf<Endpoint["~Headers"]>
    /** Undefined if the handler reads the body itself. */
    readonly payload: TypeOf<Endpoint["~Payload"]>
  },
  context: RequestContext
) => Effect.Effect<OutputOf<Endpoint>, ExpectedError>

/** A handler for each operation of a group of the contract. */
export type Handlers<
  Group extends { readonly endpoints: Readonly<Record<string, HttpApiEndpoint.Constraint>> }
> = {
  readonly [
    Name in keyof Group["endpoints"]
  ]: Group["endpoints"][Name] extends HttpApiEndpoint.ConstraintRequest
    ? Handler<Group["endpoints"][Name]>
    : never
}
