/** Checks the fields of a configuration. What is in the options of the instance is checked where it is used. */
import { checkOptions, checkOptionTypes, type OptionTypes } from "@signalbox/core/adapter"
import type { Config, ConsoleConfig, ServerConfig } from "./Config.ts"

const serverTypes: OptionTypes<ServerConfig> = {
  port: ["number"],
  host: ["string"],
  mount: ["string"],
  database: ["string"],
  console: ["boolean", "object"],
  drainNoticeMillis: ["number"]
}

const consoleTypes: OptionTypes<ConsoleConfig> = {
  mount: ["string"],
  authorize: ["function"],
  allow: ["object"],
  allowActions: ["boolean"]
}

/** Throws a `RangeError` that begins with the path of the first invalid field. */
export const checkConfig: (config: unknown) => asserts config is Config = (config) => {
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new RangeError("the default export must be an object: export default defineConfig({ … })")
  }
  if ("then" in config && typeof config.then === "function") {
    throw new RangeError("the default export is a promise: export default await …")
  }
  const { server = {}, ...options }: { readonly server?: unknown } = config
  checkOptions(options)
  checkServer(server, "stores" in options && options.stores !== undefined)
}

const checkServer: (server: unknown, hasStores: boolean) => asserts server is ServerConfig = (
  server,
  hasStores
) => {
  checkOptionTypes("server", server, serverTypes)
  const { console, database, drainNoticeMillis = 0, port = 0 }: ServerConfig = Object(server)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`server.port must be a whole number from 0 to 65535, got ${port}`)
  }
  if (!(drainNoticeMillis >= 0 && drainNoticeMillis <= maxNoticeMillis)) {
    throw new RangeError(
      `server.drainNoticeMillis must be a number from 0 to ${maxNoticeMillis}, got ${drainNoticeMillis}`
    )
  }
  if (database !== undefined && hasStores) {
    throw new RangeError("server.database and stores are two storages: leave out one of them")
  }
  if (database === "") {
    throw new RangeError("server.database is empty; is the variable that holds it set?")
  }
  if (typeof console === "object") checkOptionTypes("server.console", console, consoleTypes)
}

const maxNoticeMillis = 600_000
