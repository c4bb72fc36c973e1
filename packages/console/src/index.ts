/** The operations console of Signalbox, mounted inside the host's application. */
export type { ActionGroup } from "./actionGroups.ts"
export type { Authorize, AuthorizeResult, ConsoleRequest } from "./Authorize.ts"
export { type Console, type ConsoleOptions, consoleRoutes } from "./consoleRoutes.ts"
