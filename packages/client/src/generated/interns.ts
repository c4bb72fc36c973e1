/** Interns: the operations of the group `interns`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"

export interface Intern {
  readonly id: string
  readonly workspace_id: string
  readonly name: string
  readonly description: string | null
  readonly instructions: string | null
  readonly model: string | null
  readonly status:
    | "awaiting_slack_install"
    | "queued"
    | "provisioning"
    | "running"
    | "failed"
    | "stopped"
    | "destroying"
    | "destroy_failed"
  readonly progress: {
    readonly step_label: string
    readonly step_number: number
    readonly total_steps: number
  } | null
  readonly last_failure_message: string | null
  readonly hostname: string | null
  readonly vault_id: string | null
  readonly attached_vault_id: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface InternsCreateInput {
  readonly name: string
  readonly description?: string | null
  readonly instructions?: string | null
  readonly provision?: boolean
  readonly vault_id?: string
  readonly workspace_id?: string
}

export interface InternsListInput {
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of items to return. */
  readonly limit?: number
  /** Comma-separated statuses. Default: all. */
  readonly status?: string
  /** Must be the workspace of the key, which is the default. */
  readonly workspace_id?: string
}

export interface InternsListPage {
  readonly data: ReadonlyArray<Intern>
  readonly has_more: boolean
  readonly next_cursor?: string
}

export interface InternsGetInput {
  readonly internId: string
}

export interface InternsUpdateInput {
  readonly internId: string
  readonly name?: string
  readonly description?: string | null
  readonly instructions?: string | null
  readonly model?: string | null
}

export interface InternsDeleteInput {
  readonly internId: string
  readonly acknowledge_workspace_loss?: boolean
}

export interface InternsDeleteOutput {
  readonly deleting: true
}

export interface InternsProvisionInput {
  readonly internId: string
}

export interface InternsProvisionOutput {
  readonly provisioning: true
}

export interface InternsSuspendInput {
  readonly internId: string
}

export interface InternsSuspendOutput {
  readonly suspended: true
}

export interface InternsChatInput {
  readonly internId: string
  readonly messages: ReadonlyArray<
    | {
        readonly role: "user"
        readonly content:
          | string
          | ReadonlyArray<{
              readonly type: "text"
              readonly text: string
            }>
          | null
      }
    | {
        readonly role: "system"
        readonly content:
          | string
          | ReadonlyArray<{
              readonly type: "text"
              readonly text: string
            }>
          | null
      }
    | {
        readonly role: "developer"
        readonly content:
          | string
          | ReadonlyArray<{
              readonly type: "text"
              readonly text: string
            }>
          | null
      }
    | {
        readonly role: "assistant"
        readonly content?:
          | string
          | ReadonlyArray<{
              readonly type: "text"
              readonly text: string
            }>
          | null
      }
    | {
        readonly role: "tool"
        readonly content:
          | string
          | ReadonlyArray<{
              readonly type: "text"
              readonly text: string
            }>
          | null
        readonly tool_call_id: string
      }
  >
  readonly approval_mode?: "manual" | "self-drive"
  readonly session_id?: string
  readonly model?: string
}

export type InternsChatEvent =
  | {
      readonly id: string
      readonly object: "chat.completion.chunk"
      readonly created: number
      readonly model: string
      readonly choices: ReadonlyArray<{
        readonly index: number
        readonly delta: {
          readonly role?: "assistant"
          readonly content?: string
          readonly reasoning?: string
          readonly tool_calls?: ReadonlyArray<{
            readonly index: number
            readonly id: string
            readonly type: "function"
            readonly function: {
              readonly name: "openrouter.provide_input"
              readonly arguments: string
            }
          }>
        }
        readonly finish_reason: "stop" | "tool_calls" | "error" | null
      }>
      readonly session_id?: string | null
      readonly usage?: {
        readonly prompt_tokens: number
        readonly completion_tokens: number
        readonly total_tokens: number
        readonly cost?: number
        readonly prompt_tokens_details?: {
          readonly cached_tokens: number
        }
      } | null
      readonly error?: {
        readonly code: number
        readonly message: string
        readonly metadata: {
          readonly reason: string
          readonly retryable: boolean
        }
      }
    }
  | {
      readonly session_id: string
      readonly status: "steered"
    }

/** Interns. */
export const interns = (connection: Connection) => ({
  /** Create an intern and its vault. Repeated requests return the same intern. */
  create: (input: InternsCreateInput, options?: CallOptions): Promise<Intern> =>
    connection.call("POST /api/v1/interns", input, options),
  /** List the interns of the key's workspace, newest first. */
  list: (input?: InternsListInput, options?: CallOptions): Paged<InternsListPage, Intern> =>
    connection.list<Intern, InternsListPage>("GET /api/v1/interns", input, options),
  /** Get an intern by id. */
  get: (input: InternsGetInput, options?: CallOptions): Promise<Intern> =>
    connection.call("GET /api/v1/interns/:internId", input, options),
  /** Update an intern. Omitted fields keep their values; null clears a field. */
  update: (input: InternsUpdateInput, options?: CallOptions): Promise<Intern> =>
    connection.call("PATCH /api/v1/interns/:internId", input, options),
  /** Delete an intern and its vault. The body is optional. */
  delete: (input: InternsDeleteInput, options?: CallOptions): Promise<InternsDeleteOutput> =>
    connection.call("DELETE /api/v1/interns/:internId", input, options),
  /** Provision an intern, or resume a suspended one. Takes no body. */
  provision: (
    input: InternsProvisionInput,
    options?: CallOptions
  ): Promise<InternsProvisionOutput> =>
    connection.call("POST /api/v1/interns/:internId/provision", input, options),
  /** Suspend an intern. Its disk and settings are kept. Takes no body. */
  suspend: (input: InternsSuspendInput, options?: CallOptions): Promise<InternsSuspendOutput> =>
    connection.call("POST /api/v1/interns/:internId/suspend", input, options),
  /** Chat with an intern. The answer is streamed. */
  chat: (input: InternsChatInput, options?: CallOptions): AsyncIterable<InternsChatEvent> =>
    connection.stream(
      "POST /api/v1/interns/:internId/chat/completions",
      { ...input, stream: true },
      "[DONE]",
      options
    )
})
