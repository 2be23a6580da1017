"use strict";
(function () {
  const game = JSON.parse(document.getElementById("game").textContent);
  const size = game.size, positions = game.positions, last = positions.length - 1;
  const SVG = "http://www.w3.org/2000/svg", SQUARE = game.square, MARGIN = game.margin;
  const byId = function (id) { return document.getElementById(id); };
  let ply = 0;

  function element(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const key of Object.keys(attributes)) made.setAttribute(key, attributes[key]);
    return made;
  }

  // Squares are numbered rank by rank from a1.
  function corner(square) {
    const file = square % size, rank = Math.floor(square / size);
    return [MARGIN + SQUARE * file, MARGIN + SQUARE * (size - 1 - rank)];
  }

  function middle(square) {
    const at = corner(square);
    return [at[0] + SQUARE / 2, at[1] + SQUARE / 2];
  }

  function drawPieces(board) {
    const pieces = [];
    board.split("/").forEach(function (line, down) {
      let file = 0;
      for (const part of line.match(/[0-9]+|[adk]/g) || []) {
        if (/[0-9]/.test(part)) { file += Number(part); continue; }
        const at = middle((size - 1 - down) * size + file);
        pieces.push(element("use", { href: "#k-" + part, x: at[0], y: at[1] }));
        file += 1;
      }
    });
    byId("pieces").replaceChildren.apply(byId("pieces"), pieces);
  }

  function drawLast(move) {
    const marks = (move || []).map(function (square) {
      const at = corner(square);
      return element("rect", { class: "k-last", x: at[0], y: at[1], width: SQUARE, height: SQUARE });
    });
    byId("last").replaceChildren.apply(byId("last"), marks);
  }

  function drawArrow(move) {
    const parts = [];
    if (move) {
      const from = middle(move[0]), to = middle(move[1]);
      const dx = Math.sign(to[0] - from[0]), dy = Math.sign(to[1] - from[1]);
      const bx = to[0] - 14 * dx, by = to[1] - 14 * dy;
      parts.push(element("path", { class: "k-arrow", d: "M" + from.join(" ") + " L" + bx + " " + by }));
      parts.push(element("path", {
        class: "k-head",
        d: "M" + (to[0] + 6 * dx) + " " + (to[1] + 6 * dy) +
          " L" + (bx + 11 * dy) + " " + (by + 11 * dx) +
          " L" + (bx - 11 * dy) + " " + (by - 11 * dx) + " Z"
      }));
    }
    byId("arrows").replaceChildren.apply(byId("arrows"), parts);
  }

  function show(wanted, fromAddress) {
    ply = Math.max(0, Math.min(last, wanted));
    const now = positions[ply], before = ply > 0 ? positions[ply - 1] : null;
    drawPieces(now.board);
    drawLast(before && before.move);
    drawArrow(now.best);
    for (const id of ["state", "score", "call", "pv"]) byId(id).textContent = now[id];
    // These two are about the move that led here.
    for (const id of ["played", "comment"]) byId(id).textContent = before ? before[id] : "";
    for (const link of document.querySelectorAll("#moves a")) {
      const current = Number(link.dataset.ply) === ply;
      link.setAttribute("aria-current", String(current));
      if (current) {
        // Only the list scrolls, never the page.
        const list = byId("moves"), top = link.offsetTop - list.offsetTop;
        if (top < list.scrollTop || top + link.offsetHeight > list.scrollTop + list.clientHeight) {
          list.scrollTop = top - list.clientHeight / 2;
        }
      }
    }
    byId("now").setAttribute("transform", "translate(" + game.graph[ply] + " 0)");
    byId("first").disabled = byId("back").disabled = ply === 0;
    byId("next").disabled = byId("end").disabled = ply === last;
    document.body.dataset.ply = String(ply);
    if (!fromAddress) history.replaceState(null, "", "#ply=" + ply);
  }

  function fromAddress() {
    const found = /^#ply=([0-9]{1,6})$/.exec(location.hash);
    show(found ? Number(found[1]) : 0, true);
  }

  byId("first").addEventListener("click", function () { show(0); });
  byId("back").addEventListener("click", function () { show(ply - 1); });
  byId("next").addEventListener("click", function () { show(ply + 1); });
  byId("end").addEventListener("click", function () { show(last); });
  byId("moves").addEventListener("click", function (event) {
    const link = event.target.closest("a[data-ply]");
    if (!link) return;
    event.preventDefault();
    show(Number(link.dataset.ply));
  });
  byId("curve").addEventListener("click", function (event) {
    const box = byId("curve").getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * game.graphWidth;
    let nearest = 0;
    game.graph.forEach(function (at, i) {
      if (Math.abs(at - x) < Math.abs(game.graph[nearest] - x)) nearest = i;
    });
    show(nearest);
  });
  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { ArrowLeft: ply - 1, ArrowRight: ply + 1, ArrowUp: ply - 2, ArrowDown: ply + 2,
      Home: 0, End: last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    show(target);
  });
  window.addEventListener("hashchange", fromAddress);
  fromAddress();
})();
