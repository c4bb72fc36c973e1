/** What a host says when it makes a box. */
import type * as Redacted from "effect/Redacted"
import type { Account } from "./accounts/Account.ts"
import type { KeyKind } from "./auth/ApiKey.ts"
import type { Caller } from "./auth/Caller.ts"
import type { ModelConfig } from "./catalog/Model.ts"
import type { FailureOverrides } from "./routing/failureRules.ts"
import type { Strategy } from "./routing/Strategy.ts"
import type { SettingsShape } from "./Settings.ts"
import type { Upstream } from "./upstreams/Upstream.ts"

/** An API key the host issues; only its SHA-256 is kept. */
export interface KeyConfig {
  readonly key: string | Redacted.Redacted
  readonly kind: KeyKind
  readonly name?: string
  /** The member a `member` key acts for. */
  readonly user?: string
  /** Default: `default`. */
  readonly account?: string
  /** Default: the account's default workspace. */
  readonly workspace?: string
}

export interface Options {
  readonly upstreams: ReadonlyArray<Upstream>
  readonly models: ReadonlyArray<ModelConfig>
  readonly keys?: ReadonlyArray<KeyConfig>
  /** Restrictions of accounts; an account that is not listed has none. */
  readonly accounts?: ReadonlyArray<Omit<Account, "id"> & { readonly id: string }>
  /** USD each account may spend, by account id, as decimal strings; not listed means unlimited. */
  readonly credits?: Readonly<Record<string, string>>
  /**
   * The host's own users and tokens, instead of `keys`: whom a bearer token stands for, or undefined
   * to turn it away.
   */
  readonly authenticate?: (token: string) => Promise<Caller | undefined>
  /** Who is asked first when a request states no order; default: cheap endpoints more often. */
  readonly strategy?: Strategy
  /** What kinds of failures mean, where it is not as in docs/routing.md. */
  readonly failureRules?: FailureOverrides
  readonly settings?: Partial<SettingsShape>
}
