/** Says where the console is, how to log in, and what it shows. */
import { password } from "./login.ts"

export const describeConsole = (root: string, hasTraffic: boolean): string => `
See what happens in the operations console; the password is "${password}":

  ${root}/console/

${
  hasTraffic
    ? "It shows demo traffic, which fills its charts minute by minute; DEMO_TRAFFIC=0 turns that off."
    : "It is empty until you send requests. Demo traffic is off (DEMO_TRAFFIC=0)."
}
`
