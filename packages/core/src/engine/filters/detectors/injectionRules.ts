/** What attempts to replace the instructions of a model say, in Latin letters. */

const between = String.raw`[\s,.'"*_/|:;()-]`
const gap = `${between}{0,8}`
const few = String.raw`(?:[A-Za-z0-9']{1,12}${between}{1,8}){0,4}?`
const toRule = (source: string): RegExp =>
  new RegExp(source.replaceAll("_", gap).replaceAll("~", few), "iy")

const dismiss = "(?:ignore|disregard|forget|override|bypass|skip|discard|neglect|overlook)"
const earlier =
  "(?:previous|prior|above|earlier|preceding|foregoing|original|initial|existing|system|all|any|your|the|these|those)"
const orders =
  "(?:instructions?|prompts?|rules?|guidelines?|directives?|commands?|messages?|context|constraints?|restrictions?|safeguards?|training|programming)"

/** Written for text in which words are spelt out; `_` is a gap between letters or words, `~` a few words. */
export const rules: ReadonlyArray<readonly [name: string, firstWords: string, rule: RegExp]> = [
  [
    "ignore_instructions",
    "ignore disregard forget override bypass skip discard neglect overlook",
    toRule(String.raw`${dismiss}_~${earlier}_(?:${earlier}_){0,3}~${orders}\b`)
  ],
  [
    "ignore_instructions",
    "do don dont never stop",
    toRule(
      String.raw`(?:do_not|don't|dont|never|stop)_(?:follow|obey|listen_to|adhere_to|following|obeying)_~(?:${earlier}_){1,3}${orders}\b`
    )
  ],
  [
    "ignore_instructions",
    "ignore ignorez ignora ignoren ignorad oublie oubliez olvida olvide omite desconsidere desconsidera esquece esqueca dimentica ignorate",
    toRule(
      String.raw`[a-z]{5,14}_~(?:instructions|consignes|regles|directives|instrucciones|reglas|indicaciones|ordenes|instrucoes|regras|ordens|istruzioni|regole|indicazioni)_(?:[a-z']{1,12}_){0,2}(?:precedentes?|anterieures|anteriores|previas|iniciales|initiales|acima|precedenti|iniziali|sopra|arriba|dessus)\b`
    )
  ],
  [
    "ignore_instructions",
    "ignoriere ignorieren ignorier vergiss vergessen missachte missachten negeer vergeet",
    toRule(
      String.raw`[a-z]{6,11}_(?:sie_)?~(?:alle|deine|deinen|ihre|ihren|vorherigen|bisherigen|vorigen|obigen|fruheren|vorige|eerdere|vorherige|bisherige|jouw|je)_(?:[a-z]{2,12}_){0,2}(?:anweisungen|instruktionen|regeln|befehle|vorgaben|richtlinien|anordnungen|instructies|aanwijzingen|regels)\b`
    )
  ],
  [
    "forget_everything",
    "forget ignore disregard erase",
    toRule(
      String.raw`(?:forget|ignore|disregard|erase)_(?:everything|all)_(?:you_(?:know|were_told|have_been_told|learned)|that_(?:was|came)|i_said|above|before|said_before)\b`
    )
  ],
  [
    "new_instructions",
    "new updated real actual revised",
    toRule(
      String.raw`(?:new|updated|real|actual|revised)_(?:system_)?(?:instructions|prompt|directives|task)_?(?::|are\b|follow\b)`
    )
  ],
  [
    "developer_mode",
    "you enter enable activate switch turn",
    toRule(
      String.raw`(?:you_are_now_in|enter|enable|activate|switch_to|turn_on)_~(?:developer|debug|admin|god|sudo|maintenance|unrestricted|jailbreak|dan)_mode\b`
    )
  ],
  [
    "do_anything_now",
    "do you",
    toRule(
      String.raw`(?:do_anything_now\b|you_are_(?:now_)?(?:an?_)?(?:DAN|jailbroken|unrestricted|uncensored|unfiltered)\b)`
    )
  ],
  [
    "do_anything_now",
    "act behave pretend roleplay respond",
    toRule(
      String.raw`(?:act|behave|pretend|roleplay|respond)_(?:as|like|to_be)_(?:if_you_(?:are|were)_)?(?:an?_)?(?:DAN|evil|unrestricted|uncensored|jailbroken|unfiltered)\b`
    )
  ],
  [
    "without_restrictions",
    "without no free remove drop disable",
    toRule(
      String.raw`(?:without|no|free_of|free_from|remove|drop|disable)_(?:any_|all_|your_)?(?:ethical|moral|safety|content|legal)_(?:and_(?:ethical|moral|legal|safety)_)?(?:guidelines|restrictions|filters?|constraints|limits|limitations|rules|protocols|measures)\b`
    )
  ],
  [
    "system_override",
    "system override bypass",
    toRule(
      String.raw`(?:system_(?:override|overwrite|bypass)\b|override_(?:the_|your_|all_)?(?:system|safety|security)\b|bypass_(?:the_|your_|all_)?(?:safety|security|content)_(?:filters?|measures|checks|controls|policies|protocols)\b)`
    )
  ],
  [
    "reveal_prompt",
    "reveal show print display output repeat leak expose tell give dump disclose what",
    toRule(
      String.raw`(?:reveal|show|print|display|output|repeat|leak|expose|tell_me|give_me|dump|disclose|what_(?:is|are|were))_~(?:your|the|its)_(?:system_|initial_|original_|hidden_|secret_|internal_|full_|exact_|entire_|complete_){1,3}(?:prompts?|instructions?|messages?|rules|guidelines|directives)\b`
    )
  ],
  [
    "reveal_prompt",
    "repeat print output show",
    toRule(
      String.raw`(?:repeat|print|output|show)_~(?:everything|all|the_text|the_words|words)_(?:above|before_this|prior_to_this)\b`
    )
  ],
  [
    "pretend",
    "from",
    toRule(
      String.raw`from_now_on_(?:you_(?:are|will|must|shall)|act|respond|answer)\b~(?:not_bound|no_longer|without|unrestricted|any_request|jailbr\w{1,8}|anything)`
    )
  ]
]

/** The words that rules begin with. */
export const firstWords: ReadonlyArray<string> = rules.flatMap(([, words]) => words.split(" "))

/** What stands between words without spaces. */
export const vocabulary: ReadonlyArray<string> = [
  ...new Set([
    ...firstWords,
    ...[earlier, orders].flatMap((words) => words.slice(3, -1).split("|")),
    // The alternatives of plurals.
    ..."instructions prompts rules guidelines directives commands messages constraints restrictions".split(
      " "
    )
  ])
].filter((word) => word.length > 2)
