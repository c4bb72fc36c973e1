/** The types of calls in process, derived from the endpoints of the contract. */
import type * as Schema from "effect/Schema"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"

/** Path parameters, query and body as one object, in the names of the HTTP API. */
export type CallInput<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Flatten<
  ParamsOf<Endpoint["~Params"]> & QueryOf<Endpoint["~Query"]> & BodyOf<Endpoint["~Payload"]>
>

export type CallOptions<Endpoint extends HttpApiEndpoint.ConstraintRequest> = CallerOptions &
  ("idempotency-key" extends keyof InputOf<Endpoint["~Headers"]> ? IdempotencyOptions : unknown)

/** The caller of an operation in process: `signalbox.keys.list({}, { caller: { user: "ann" } })`. */
export interface CallerOptions {
  /** Default: the application itself, in the default workspace of its own account. */
  readonly caller?: CallerConfig
  /** Mount of the HTTP API, such as `/ai`; paths in results start with it. Default: the root. */
  readonly mount?: string
}

interface IdempotencyOptions {
  /** 1 to 255 characters: calls with the same key and input create one resource. */
  readonly idempotencyKey?: string
}

/** The input is optional if all its fields are. */
export type CallArguments<Input, Options> = object extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options]

/** The input of the schema's `make`, where ids have no brands. */
type InputOf<S extends Schema.Constraint> = [S] extends [never] ? unknown : S["~type.make.in"]

/** A parameter that parses text accepts anything in `make`, so that it has the type of what it parses to. */
type ParamsOf<S extends Schema.Constraint> = [S] extends [never]
  ? unknown
  : {
      [Name in keyof S["~type.make.in"]]: unknown extends S["~type.make.in"][Name]
        ? S["Type"][Name & keyof S["Type"]]
        : S["~type.make.in"][Name]
    }

/** A body is JSON, so it has the schema's encoded type. */
type BodyOf<S extends Schema.Constraint> = [S] extends [never]
  ? unknown
  : S extends { readonly schema: infer Inner extends Schema.Constraint }
    ? Inner["Encoded"]
    : never

type QueryOf<S extends Schema.Constraint> = [S] extends [never] ? unknown : S["Type"]

type Flatten<T> = { [Name in keyof T]: T[Name] }
