/** Sets the wall clock of this process apart from others, before any module can read it; see `FleetProcessConfig`. */
import type { FleetProcessConfig } from "./FleetProcessConfig.ts"

const { skewMillis }: FleetProcessConfig = JSON.parse(process.argv[3] ?? "{}")

const readSystemClock = Date.now
Date.now = () => readSystemClock() + skewMillis
globalThis.Date = new Proxy(Date, {
  construct: (date, given, target) =>
    Reflect.construct(date, given.length === 0 ? [date.now()] : given, target)
})
