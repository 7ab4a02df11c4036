// The seven sins and the seven dice, as people call them.

import { h } from "../../dom.js";
import { t } from "../../words.js";

export const sinWords = (sin) =>
  ({
    greed: t("Greed"),
    gluttony: t("Gluttony"),
    envy: t("Envy"),
    lust: t("Lust"),
    pride: t("Pride"),
    sloth: t("Sloth"),
    wrath: t("Wrath"),
  })[sin];

export const dieName = (die) => (die === "white" ? t("the white die") : t("the {die}", { die }));

export const devil = () => h("span", { role: "img", "aria-label": t("Devil"), title: t("Devil") }, " ♆");
