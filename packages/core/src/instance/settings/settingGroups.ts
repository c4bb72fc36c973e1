/** Every setting, by the section of docs/reference/settings.md that lists it. */
import { accountSettings } from "./accountSettings.ts"
import { jobSettings } from "./jobSettings.ts"
import { processSettings } from "./processSettings.ts"
import { requestSettings } from "./requestSettings.ts"

export const settingGroups = {
  ...requestSettings,
  ...accountSettings,
  ...processSettings,
  ...jobSettings
}
