/** Prints the address of a server, its models, and a curl command to paste. */
import { providerSetups } from "../router.ts"
import { describeConsole } from "./describeConsole.ts"
import { exampleRequest } from "./exampleRequest.ts"

export const printUsage = (root: string, hasTraffic: boolean): void => {
  const callable = providerSetups.map(
    ({ key, models }) => `  ${models.map(({ id }) => id).join(", ")} (${key ?? "no key needed"})`
  )
  const more =
    providerSetups.length > 1
      ? ""
      : "\n  (more with the key of a provider, such as OPENAI_API_KEY: see examples/console/README.md, Real models)"
  console.log(`
Signalbox in Express listens on ${root}
Reference page: ${root}/api/v1/docs

Models you can call:
${callable.join("\n")}${more}

Ask for a decision:

curl ${root}/api/alpha/decisions \\
  -H 'Authorization: Bearer sk-demo-member' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(exampleRequest, null, 2)}'

Chat, whole and piece by piece:

curl ${root}/api/v1/chat/completions -H 'Authorization: Bearer sk-demo-member' \\
  -H 'Content-Type: application/json' \\
  -d '{"model": "demo/parrot-1", "messages": [{"role": "user", "content": "Is it calm at sea?"}]}'
curl -N ${root}/api/v1/chat/completions -H 'Authorization: Bearer sk-demo-member' \\
  -H 'Content-Type: application/json' \\
  -d '{"model": "demo/parrot-1", "stream": true, "messages": [{"role": "user", "content": "Is it calm?"}]}'

Ask for a film, see how it stands, and download it when it is completed (a few seconds later):

curl ${root}/api/v1/videos -H 'Authorization: Bearer sk-demo-member' \\
  -H 'Content-Type: application/json' -d '{"model": "demo/film-1", "prompt": "dusk", "duration": 4}'
curl ${root}/api/v1/videos/{id} -H 'Authorization: Bearer sk-demo-member'
curl -o film.mp4 ${root}/api/v1/videos/{id}/content -H 'Authorization: Bearer sk-demo-member'

Look around, and manage (more to paste: examples/console/README.md, Manage keys):

curl '${root}/api/v1/models?sort=pricing-low-to-high' -H 'Authorization: Bearer sk-demo-member'
curl ${root}/api/v1/keys -H 'Authorization: Bearer sk-demo-management' \\
  -H 'Content-Type: application/json' -d '{"name": "ci", "limit": 5, "limit_reset": "monthly"}'
${describeConsole(root, hasTraffic)}
Ask for the decision again: Demo Bargain fails every third call, and another provider answers instead.
Every attempt is shown here:
`)
}
