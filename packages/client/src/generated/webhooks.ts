/** Webhooks: the operations of the group `webhooks`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly delivered: boolean
  readonly duration_ms: number
  readonly status: number | null
  readonly error:
    | "unsafe_address"
    | "not_public"
    | "unresolved"
    | "unreachable"
    | "timeout"
    | "secret_unreadable"
    | "workspace_deleted"
    | "internal"
    | null
}

export interface WebhooksGetInput {
  readonly id: string
}

export interface WebhooksGetOutput {
  readonly data: {
    readonly workspace_id: string
    readonly callback_url: string | null
    readonly updated_at: string | null
  }
}

export interface WebhooksSetInput {
  readonly id: string
  readonly callback_url: string | null
}

export interface WebhooksSetOutput {
  readonly data: {
    readonly workspace_id: string
    readonly callback_url: string | null
    readonly updated_at: string | null
  }
}

export interface WebhooksDeleteInput {
  readonly id: string
}

export interface WebhooksDeleteOutput {
  readonly deleted: true
}

export interface WebhooksTestInput {
  readonly id: string
}

export interface WebhooksTestOutput {
  readonly data: Webhook
}

export interface WebhooksListSecretsInput {
  readonly id: string
}

export interface WebhooksListSecretsOutput {
  readonly data: ReadonlyArray<{
    readonly id: string
    readonly label: string
    readonly created_at: string
  }>
  readonly total_count: number
}

export interface WebhooksCreateSecretInput {
  readonly id: string
}

export interface WebhooksCreateSecretOutput {
  readonly data: {
    readonly id: string
    readonly label: string
    readonly created_at: string
  }
  readonly secret: string
}

export interface WebhooksDeleteSecretInput {
  readonly id: string
  readonly secretId: string
}

export interface WebhooksDeleteSecretOutput {
  readonly deleted: true
}

/** Webhooks. */
export const webhooks = (connection: Connection) => ({
  /** Get the webhook of a workspace. */
  get: (input: WebhooksGetInput, options?: CallOptions): Promise<WebhooksGetOutput> =>
    connection.call("GET /api/v1/signalbox/workspaces/:id/webhook", input, options),
  /** Create or replace the webhook of a workspace. */
  set: (input: WebhooksSetInput, options?: CallOptions): Promise<WebhooksSetOutput> =>
    connection.call("PUT /api/v1/signalbox/workspaces/:id/webhook", input, options),
  /** Delete the webhook of a workspace and its signing secrets. */
  delete: (input: WebhooksDeleteInput, options?: CallOptions): Promise<WebhooksDeleteOutput> =>
    connection.call("DELETE /api/v1/signalbox/workspaces/:id/webhook", input, options),
  /** Send an event of type `webhook.test` to the webhook of a workspace at once, signed as any other, and answer how it went. It is sent once, and is not in the list of deliveries. A receiver that does not answer, or with another status, is a result of the test and no error of this operation. */
  test: (input: WebhooksTestInput, options?: CallOptions): Promise<WebhooksTestOutput> =>
    connection.call("POST /api/v1/signalbox/workspaces/:id/webhook/test", input, options),
  /** List the signing secrets of a workspace, masked. */
  listSecrets: (
    input: WebhooksListSecretsInput,
    options?: CallOptions
  ): Promise<WebhooksListSecretsOutput> =>
    connection.call("GET /api/v1/signalbox/workspaces/:id/webhook/secrets", input, options),
  /** Create a signing secret. It is returned once; two can be active. */
  createSecret: (
    input: WebhooksCreateSecretInput,
    options?: CallOptions
  ): Promise<WebhooksCreateSecretOutput> =>
    connection.call("POST /api/v1/signalbox/workspaces/:id/webhook/secrets", input, options),
  /** Delete a signing secret. Later deliveries are not signed with it. */
  deleteSecret: (
    input: WebhooksDeleteSecretInput,
    options?: CallOptions
  ): Promise<WebhooksDeleteSecretOutput> =>
    connection.call(
      "DELETE /api/v1/signalbox/workspaces/:id/webhook/secrets/:secretId",
      input,
      options
    )
})
