/** The entry point for configurations, and for programs that contain the command line. */
export type { Config, ConsoleConfig, ServerConfig } from "./config/Config.ts"
export { defineConfig } from "./config/defineConfig.ts"
export { runMain } from "./runMain.ts"
