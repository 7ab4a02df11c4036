// The seven sins and the seven dice, as people call them.

import { t } from "../../words.js";

export const SINS = ["greed", "gluttony", "envy", "lust", "pride", "sloth", "wrath"];

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
