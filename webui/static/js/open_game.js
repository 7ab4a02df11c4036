// Before a new game: what becomes of the one that is open, and starting the new one.

import { $, h, show } from "./dom.js";
import { twice } from "./log.js";
import { act, state as now, subscribe } from "./state.js";
import { t } from "./words.js";

let abandon = false;

// A notice about the game that is being played, in #open-game, with the way to put it away.
export function warnOfOpenGame() {
  const tell = (state) => {
    const { game } = state;
    show($("open-game"), [game?.id, game?.prompt.text, Boolean(game?.outcome), abandon], () => {
      if (!game || game.outcome) return [];
      const away = t("The game that is open will be put away when the new one starts. It stays under “Games played”.");
      if (abandon) return [h("p", { className: "card notice small" }, away)];
      const put = async () => {
        abandon = true;
        tell(now());
      };
      const words = { game: game.name, names: game.seats.join(", ") };
      return [
        h(
          "div",
          { className: "card notice" },
          h("p", {}, t("A game of {game} is being played: {names}.", words), " ", h("span", { className: "muted" }, game.prompt.text)),
          h(
            "p",
            { className: "row" },
            h("a", { className: "button", href: "/" }, t("Back to it")),
            twice(t("Put it away for a new one"), t("Really put it away?"), put),
          ),
        ),
      ];
    });
  };
  subscribe(tell);
}

// Returns the table's answer; a refusal is not said aloud, for the form says it where it belongs.
export const openGame = (game, setup) => act("/api/games", { game, setup, abandon }, () => "");

// The house rules that were chosen otherwise than usual.
export function chosenRules() {
  const rules = {};
  for (const select of document.querySelectorAll("select[data-rule]")) {
    if (select.selectedIndex > 0) rules[select.name] = select.value;
  }
  return rules;
}
