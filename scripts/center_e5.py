"""Compute what all vectors of multilingual-e5-small have in common: `plugins/e5/center.npy`.

    python scripts/center_e5.py          # writes it anew
    python scripts/center_e5.py --check  # says whether it is what the texts below give

The first row is the mean of passages in twelve languages, the second that of questions. The texts
are about many things, so that what is left in the mean is what vectors of any text have.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from writeros_plugins.e5 import CENTER, MultilingualE5

from writeros_entities import Settings

PASSAGES = """
The ferry left at dawn, and nobody saw who rowed it across the black water.
"You should have told me," she said, and put the letter back into the drawer.
Age: 34. Hair: red. Occupation: smith. Born in the village below the pass.
A harbour town of four thousand people, known for its salt and its thieves.
Elle ouvrit la porte sans bruit ; la chambre était vide et le feu presque éteint.
« Je ne partirai pas », répondit le vieux soldat en regardant la mer.
Âge : 19 ans. Yeux gris. Étudiante en médecine, elle vit chez sa tante.
Le château fut bâti au bord du fleuve, puis abandonné après la guerre.
Der Regen hatte aufgehört, als sie den Rand des Waldes erreichten.
„Wer hat dir das erzählt?“, fragte er und legte das Messer auf den Tisch.
Alter: 52. Beruf: Richterin. Sie hat zwei Söhne und trinkt keinen Wein.
Die Gilde der Färber kauft ihr Blau seit hundert Jahren auf der Insel.
El tren llegó tarde, y en el andén solo quedaba una mujer con un perro.
—No fue culpa tuya —dijo mi hermano, pero no me miraba.
Edad: 41. Oficio: carpintero. Perdió dos dedos en el aserradero.
La torre más alta de la ciudad guarda los mapas de los primeros viajes.
Il mercato era già pieno di gente quando suonarono le campane.
«Domani sarà diverso», promise la madre, e spense la lampada.
Età: 27 anni. Capelli neri. Suona il violino in una piccola orchestra.
La spada fu forgiata per un re che non la portò mai in battaglia.
A casa ficava no fim da rua, com as janelas fechadas desde o verão.
— Ninguém vai acreditar em nós — disse o rapaz, e começou a correr.
Idade: 63. Professor de história, viúvo, mora perto da estação.
O reino do norte paga tributo em ouro e em cavalos a cada primavera.
De oude vrouw telde haar munten en keek niet op toen hij binnenkwam.
"Dat is niet wat we hebben afgesproken," zei de kapitein kortaf.
Leeftijd: 30. Ogen: bruin. Werkt in de bibliotheek van de universiteit.
Het eiland heeft één dorp, één vuurtoren en geen enkele boom.
Snön låg djup i trädgården, och spåren ledde bort mot sjön.
”Vänta på mig vid bron”, viskade hon och försvann i mörkret.
Ålder: 45. Läkare. Har aldrig lämnat staden där han föddes.
Draken sover under berget och vaknar bara när någon ljuger.
Nikt nie pamiętał, kiedy zegar na wieży przestał chodzić.
– Oddaj mi klucz – powiedziała cicho i wyciągnęła rękę.
Wiek: 22 lata. Włosy jasne. Studiuje prawo i gra w szachy.
Zakon strzeże starej drogi przez góry i nie wpuszcza obcych.
Дверь была открыта, и на столе ещё дымилась чашка чая.
— Я видел его вчера на рынке, — ответил мальчик и покраснел.
Возраст: 38 лет. Волосы чёрные. Служит на границе, не женат.
Город стоит на трёх холмах, и река делит его на две части.
Лодка уткнулась в берег, и старик первым вышел на песок.
天亮的时候，雪停了，院子里只有一行脚印。
“这件事你不能告诉任何人。”她低声说。
年龄：二十八岁。职业：医生。住在河边的老房子里。
这座城以茶叶和瓷器闻名，城墙有六百年的历史。
夜が明ける前に、船は静かに港を出た。
「もう遅い」と彼は言って、窓を閉めた。
年齢：十七歳。髪は短く、剣道が得意。
山の上の寺には、古い鐘が一つだけ残っている。
"""

QUESTIONS = """
who rowed the boat
Where is the letter hidden?
the sister of the thief
qui a construit le château
Où vit la tante de l'étudiante ?
la peur de l'eau
wer hat das Messer genommen
Was kauft die Gilde auf der Insel?
die Freundin des Richters
quién esperaba en la estación
¿Dónde están los mapas?
chi suona il violino
Per quale re fu fatta la spada?
quem mora perto da estação
Quanto ouro paga o reino?
wie werkt er in de bibliotheek
Waar staat de vuurtoren?
vem väntar vid bron
När vaknar draken?
kto ma klucz
Czego strzeże zakon?
кто открыл дверь
Где стоит город?
谁在院子里走过
这座城以什么闻名？
誰が窓を閉めたか
寺には何が残っている？
"""


def compute_center(model: MultilingualE5) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return the means of the vectors as they are before the center is taken from them."""
    return np.stack(
        [
            model.encode("passage: ", PASSAGES.split("\n")[1:-1]).mean(axis=0),
            model.encode("query: ", QUESTIONS.split("\n")[1:-1]).mean(axis=0),
        ]
    ).astype(np.float32)


def main() -> None:
    """Write the file, or check it."""
    file = Path(__file__).parent.parent / "plugins" / "e5" / CENTER
    found = compute_center(MultilingualE5(Settings()))
    if "--check" in sys.argv:
        print(f"largest difference: {np.abs(found - np.load(file)).max():.2g}")
    else:
        np.save(file, found)


if __name__ == "__main__":
    main()
