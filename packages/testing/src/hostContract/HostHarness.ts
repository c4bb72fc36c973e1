/** A host contract starts each tested host with a harness. */
import type { Signalbox } from "@signalbox/core"

/** The host's own body parser, which stores a value, a string or bytes. */
export type ParserKind = "json" | "text" | "raw"

export interface Parser {
  readonly kind: ParserKind
  /** Whether the parser runs before the instance. */
  readonly position: "before" | "after"
}

/** The instance, and how the host mounts it. */
export interface HostSetup {
  readonly instance: Signalbox
  /** One path for each nested router, the outermost first. Empty for the root. */
  readonly mounts: ReadonlyArray<`/${string}`>
  /** Accepts any content type and at least 32 MiB. Default: the parsers of a new host. */
  readonly parser?: Parser | undefined
  /** Whether the host compresses responses of any size before the instance sees the request. Default: as a new host. */
  readonly compress?: boolean | undefined
}

/** A listening host. */
export interface RunningHost {
  /** Without the mount: `http://127.0.0.1:41234`. */
  readonly origin: string
  /** Stops listening and closes all connections, but not the instance. */
  readonly close: () => Promise<void>
}

/**
 * Starts a host on a free port of 127.0.0.1. It
 * - sets the header `x-host: here` on every response before the instance sees the request;
 * - keeps the header `x-user` of every request where its middleware would keep a user, so that `findUser` finds it in what
 *   functions of the host get as `source`;
 * - mounts the instance at the joined mounts;
 * - has its own route behind the instance: `POST <mounts>/own` answers 200 with the text of the request body (a parsed one
 *   as `JSON.stringify` writes it);
 * - answers everything else with 404.
 */
export type MakeHarness = (placement: HostSetup) => Promise<RunningHost>

export interface HostContractOptions {
  /** What `x-user` said, read from a `source` of the host. Default: the header of a web-standard `Request`. */
  readonly findUser?: (source: unknown) => unknown
  /** The parsers of the host. Each is tested before and after the instance. Default: none. */
  readonly parsers?: ReadonlyArray<ParserKind>
  /** The host has middleware that compresses the instance's responses, which `HostSetup.compress` puts in front. Default: false. */
  readonly compression?: boolean
  /** The status with which the host itself answers paths of invalid percent-encoding. Default: the instance answers them. */
  readonly malformedPathStatus?: number
  /** The host redirects paths with needless slashes and absolute request targets, and encodes queries anew. Default: false. */
  readonly normalizesUrls?: boolean
  /** The host may answer an invalid `Host` header and an absolute request target with 400 or 404. Default: false. */
  readonly rejectsInvalidHosts?: boolean
  /** The host closes the connection of a request whose body stalls, so that its response is lost. Default: false. */
  readonly dropsStalledRequests?: boolean
  /** The host closes the connection of a request whose body stays unread. Default: false. */
  readonly closesUnreadRequests?: boolean
  /** The host itself refuses forms of other origins with 403. Default: false. */
  readonly refusesForeignForms?: boolean
  /** The host sends bodies in chunks, also where their length is known. Default: false. */
  readonly omitsContentLength?: boolean
  /** The installed version and the intended major version, because an alias may resolve to another one. */
  readonly installed?: { readonly version: string; readonly major: number }
}
