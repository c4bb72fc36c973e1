/** The file `signalbox.config.mts`: the options of an instance, and what a standalone server needs besides. */
import type { IncomingMessage } from "node:http"
import type { Authorize, ConsoleOptions } from "@signalbox/console"
import type { Options } from "@signalbox/core"

/** The options of `Signalbox.make`, and the options of `signalbox serve` in `server`. */
export interface Config extends Options<IncomingMessage> {
  readonly server?: ServerConfig
}

/** How `signalbox serve` serves the instance. Its flags take precedence. */
export interface ServerConfig {
  /** 0 selects a free port. Default: `$PORT`, else 3000. */
  readonly port?: number
  /** The address to listen on; default: `127.0.0.1`, which only this machine reaches. `0.0.0.0` is every network. */
  readonly host?: string
  /** The path prefix of the instance, such as `/ai`; default: the root. */
  readonly mount?: string
  /**
   * The path of a SQLite file, or a url such as `postgres://user:password@host:5432/database`. Default: `$DATABASE_URL`,
   * else `signalbox.db` in the current folder. Leave it out if `stores` is given.
   */
  readonly database?: string
  /** The operations console; default: false. With true, its defaults apply. */
  readonly console?: boolean | ConsoleConfig
  /**
   * Milliseconds between "not ready" and the end of listening, in which a load balancer notices: its probe interval times
   * its failure threshold. Default: 0.
   */
  readonly drainNoticeMillis?: number
}

/** The operations console of `signalbox serve`. */
export interface ConsoleConfig {
  /** Its path; default: `/console` below the mount of the instance. */
  readonly mount?: string
  /** Who may open it; default: users who enter a management key as the password of HTTP Basic authentication. */
  readonly authorize?: Authorize<IncomingMessage>
  /** What operators may change, such as `["keys", "budgets"]`; default: nothing. */
  readonly allow?: NonNullable<ConsoleOptions["allow"]>
  /** `true` is the same as `allow: ["deliveries", "disableKeys", "interns", "videos"]`; default: false. */
  readonly allowActions?: boolean
}
