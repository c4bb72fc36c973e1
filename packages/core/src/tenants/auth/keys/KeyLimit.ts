/** The spend limit of a key. */
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { ApiKey } from "./ApiKey.ts"

/** The spend limit of a key. */
export interface KeyLimit {
  /** Nano-USD between two resets. */
  readonly cap: NanoUsd.NanoUsd
  /** When the spend is reset, by `Settings.limitTimeZone`; null: never. */
  readonly reset: ApiKey["limit_reset"]
  /** Whether spending on the account's own provider credentials counts too. */
  readonly includesByok: boolean
  /** True for a limit that only warns; absent: it binds. */
  readonly soft?: true
}

/** Undefined for a key without a limit. */
export const toKeyLimit = ({
  include_byok_in_limit,
  limit,
  limit_reset,
  soft_limit
}: ApiKey): KeyLimit | undefined =>
  limit === null
    ? undefined
    : {
        cap: NanoUsd.fromUsdNumber(limit),
        reset: limit_reset,
        includesByok: include_byok_in_limit,
        ...(soft_limit === true ? { soft: true } : undefined)
      }

/** The limit of who consented to a key, under which its spending counts, too. */
export interface GrantedLimit extends KeyLimit {
  /** Whose spending it counts, as `Subject.ts` writes it. */
  readonly subject: string
}

/** Undefined for a key that needed no consent, or without such a limit. */
export const toGrantedLimit = ({ granted_by }: ApiKey): GrantedLimit | undefined => {
  const limit = granted_by?.limit
  return granted_by === undefined || limit == null
    ? undefined
    : {
        subject: granted_by.subject,
        cap: NanoUsd.make(BigInt(limit.nano_usd)),
        reset: limit.reset,
        includesByok: limit.includes_byok,
        ...(limit.soft === true ? { soft: true } : undefined)
      }
}
