# draw.awk - a right program with one statement more, or one changed, at random.
#
#     awk -v seed=1 -v number=7 -v out=DIR -f draw.awk
#
# writes DIR/7.place, DIR/7.base.place (without the statement) and DIR/7.said: what the statement says, in words that
# meaning.awk reads. The same seed and number make the same files on every awk.

function draw(n) { # 0 .. n - 1
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * n)
}
function one_of(list,    parts, n) {
    n = split(list, parts, "|")
    return parts[1 + draw(n)]
}
function chance(percent) { return draw(100) < percent }

# ---- The program without it ------------------------------------------------------------------------------------------

function model_text(name) {
    if (name == "line")
        return "    h    = relu(linear(x, hidden) as one)\n" \
               "    loss = mean over batch, hidden of squared_error(linear(h, hidden) as two, y)\n"
    if (name == "masked")
        return "    input w : int[batch, hidden]\n    h    = relu(linear(x, hidden) as one)\n" \
               "    loss = mean over batch, hidden of squared_error(linear(h, hidden) as two, y) where w > 0\n"
    if (name == "normed")
        return "    h    = relu(batchnorm(linear(x, hidden) as one) as norm)\n" \
               "    loss = mean over batch, hidden of squared_error(linear(h, hidden) as two, y)\n"
    return "    repeat block[2] {\n        x = x + mlp(x, 4 * hidden, relu) as mlp\n        x = x + linear(x, hidden) as one\n    }\n" \
           "    loss = mean over batch, hidden of squared_error(x, y)\n"
}

function base(    ways) {
    model = one_of("line|masked|normed|layers|layers|layers")
    mesh = one_of("data: 2|data: 2, t: 2|data: 2, t: 2|data: 2, t: 1|data: 3, t: 2")
    ways = "data_parallel(data)|zero1(data)|zero2(data)|zero3(data)"
    strategy = one_of(ways)
    if (mesh ~ /t: 2/) {
        way = draw(model == "layers" ? 4 : 2)
        if (way == 0)
            strategy = strategy " * data_parallel(t)"
        if (way == 2)
            strategy = strategy " * tensor_parallel(t)"
        if (way == 3)
            strategy = one_of("data_parallel(data)|zero1(data)|zero2(data)") " * pipeline(t)"
    }
    micro = model == "normed" ? 1 : 1 + draw(2)
    optimizer = one_of("sgd|momentum|adamw")
    setting["optimizer"] = optimizer "(rate = 0.1)"
    setting["batch"] = micro > 1 ? "12 in 2 microbatches" : "12"
    setting["steps"] = "3"
    if (chance(50))
        setting["clip"] = "norm 1.0"
    if (chance(25))
        setting["precision"] = one_of("bf16, master f32, loss_scale dynamic|f64|f32, loss_scale dynamic|bf16, master f32")
    scaled = "precision" in setting && setting["precision"] ~ /dynamic/
    ema = chance(30)
}

function write_file(file, statement,    count, parts, i, key, n, order) {
    count = 1
    n = split(mesh, parts, ", ")
    for (i = 1; i <= n; i++)
        count *= substr(parts[i], index(parts[i], ":") + 2)
    printf "place 1\nmodel net(hidden = 8) {\n    input x, y : f32[batch, hidden]\n%s}\n", model_text(model) > file
    printf "cluster machine { %d devices of cpu }\nmesh grid on machine { %s }\n", count, mesh > file
    if (ema)
        printf "state ema { one per parameter; update after optimizer : 0.5 * ema + 0.5 * parameters }\n" > file
    printf "strategy mine() {\n%s}\n", statement > file
    printf "train net on grid {\n    strategy  %s * mine()\n", strategy > file
    n = split("optimizer batch steps clip precision seed", order, " ")
    for (i = 1; i <= n; i++)
        if (order[i] in setting)
            printf "    %s %s\n", order[i], setting[order[i]] > file
    printf "}\n" > file
    close(file)
}

# ---- The statement ---------------------------------------------------------------------------------------------------

function axes_of_mesh() { return mesh ~ /t:/ ? one_of("data|data|t|data, t") : "data" }

function say(line) { said = said line "\n" }

# One clause; what it says goes into `said`.
function clause(operations, shards, moments, dtypes, waits,    op, text, axes, moment, rest, dtype, wait, scale, into) {
    op = one_of(operations)
    axes = moment = dtype = scale = "-"
    into = wait = rest = 0
    text = op
    if (op != "none" || (shards && chance(40))) {
        axes = axes_of_mesh()
        rest = op == "none" || (shards && chance(20))
        text = text " over " axes
    }
    if (op != "none" && shards == 1 && chance(35)) {
        into = 1
        text = text " into shards"
    }
    if (op != "none" && moments && chance(60)) {
        moment = one_of("at step|each microbatch|after microbatch 0" (micro > 1 ? "|after microbatch 1" : ""))
        text = text " " moment
    }
    if (op != "none" && op != "broadcast" && chance(15)) {
        scale = one_of("1/2|2|1|data|1/data")
        text = text " scale " scale
    }
    if (op != "none" && waits != "" && chance(15)) {
        wait = 1
        text = text " wait " waits
    }
    if (op != "none" && dtypes && chance(20)) {
        dtype = one_of("f32|f64|bf16")
        text = text " in " dtype
    }
    if (rest)
        text = text " derive the rest"
    gsub(/, /, ",", axes)
    gsub(/ /, "_", moment)
    say("clause " op " " axes " " moment " " into " " dtype " " wait " " scale " " rest)
    return text
}

function clauses(operations, shards, moments, dtypes, waits,    text) {
    text = clause(operations, shards, moments, dtypes, waits)
    if (text !~ /^none/ && chance(25))
        text = text " then " clause(operations, shards, moments, dtypes, waits)
    return text
}

function selected(all) { return chance(all) ? "" : one_of("*.weight|one" (model == "layers" ? "|block|block.mlp" : "")) }

function sync_statement(    target, selector, value) {
    target = one_of("gradients|gradients|gradients|gradients|gradients|parameters|optimizer|norm|loss|count|" \
                    "activations|activations|activations|cotangents|step|rate|start" (ema ? "|ema|ema" : "") \
                    (optimizer == "adamw" ? "|adam_m" : "") (model == "normed" ? "|statistics|statistics" : "") \
                    ("clip" in setting ? "|clip_factor" : "") (scaled ? "|finite" : ""))
    selector = selected(70)
    if (target == "gradients") {
        say("sync gradients " (selector == "" ? "-" : selector))
        return "sync gradients" (selector == "" ? "" : " of " selector) " : " clauses("sum|sum|mean|none", 1, 1, 1, "at step")
    }
    if (target == "start") {
        say("sync start -")
        value = axes_of_mesh()
        selector = value
        gsub(/, /, ",", selector)
        say("clause broadcast " selector " at_start 0 - 0 - 0")
        return "sync parameters : broadcast over " value " at start"
    }
    if (target == "parameters") {
        say("sync parameters " (selector == "" ? "-" : selector))
        return "sync parameters" (selector == "" ? "" : " of " selector) " : " \
               clause("sum|mean|gather|broadcast|none", 0, 0, 0, "at step")
    }
    if (target ~ /^(optimizer|ema|adam_m)$/) {
        say("sync " target " " (selector == "" ? "-" : selector))
        return "sync " target (selector == "" ? "" : " of " selector) " : " clauses("sum|mean|max|broadcast|none", 0, 0, 0, "at step")
    }
    if (target ~ /^(norm|loss)$/) {
        say("sync " target " -")
        return "sync " target " : " clause("sum|mean|none", 0, 0, 0, "")
    }
    if (target == "count") {
        say("sync count -")
        say("clause none - - 0 - 0 - 0")
        return "sync count : none"
    }
    if (target ~ /^(statistics|clip_factor|finite|step|rate)$/) {
        say("sync " target " -")
        return "sync " target " : " clauses("sum|mean|max|broadcast|none", 0, 0, 0, "")
    }
    value = target == "activations" ? one_of(values_of[model]) : one_of(cotangents_of[model])
    say("sync " target " " value)
    return "sync " target " of " value " : " clauses("sum|mean|max|broadcast|none|none", 2, 0, 0, "at use")
}

function placement_statement(    state, mode, axes, selector, words, rest) {
    state = one_of("parameters|gradients|optimizer|activations" (ema ? "|ema" : ""))
    if (state == "activations") {
        selector = model == "layers" ? one_of("block|block.mlp|block.one") : one_of("h|one|two")
        mode = one_of("materialized|offloaded|sharded")
        axes = axes_of_mesh()
        words = axes
        gsub(/, /, ",", words)
        say("place activations " selector " " mode " " words)
        return "activations of " selector " " mode (mode == "sharded" ? " over " axes " by " one_of("hidden|out") : "")
    }
    selector = selected(60)
    mode = one_of("replicated|sharded|sharded|gathered|offloaded")
    axes = axes_of_mesh()
    rest = mode == "offloaded" ? " to host" : " over " axes
    if (mode == "gathered" && chance(30))
        rest = rest " kept until step"
    words = axes
    gsub(/, /, ",", words)
    say("place " state " " (selector == "" ? "-" : selector) " " mode " " words)
    return state (selector == "" ? "" : " of " selector) " " mode rest
}

function option_statement(    key) {
    key = one_of("clip|precision|batch|optimizer|seed")
    if (key == "clip")
        setting[key] = "norm " one_of("0.5|2.0|1e-3")
    if (key == "precision")
        setting[key] = one_of("f32|f64|bf16|bf16, master f32")
    if (key == "batch")
        setting[key] = one_of("24|12 in 3 microbatches|24 in 4 microbatches|6")
    if (key == "optimizer")
        setting[key] = one_of("sgd|momentum|adamw") "(rate = " one_of("0.1|0.01|0.3") ", warmup = " one_of("0|2") ")"
    if (key == "seed")
        setting[key] = one_of("1|7|12")
    say("option " key " " setting[key])
    return ""
}

BEGIN {
    values_of["line"] = "h|one|one.product|loss.terms|loss|loss.sum|two|x"
    values_of["masked"] = "h|one.product|loss.count|loss.count.sum|loss.inverse_count|loss|loss.kept"
    values_of["normed"] = "h|one|norm|norm.mean.sum|loss.terms"
    values_of["layers"] = "block.mlp|block.mlp.up|block.mlp.product|x.2|block.x|loss.terms|block.one"
    cotangents_of["line"] = "h|one|two|loss.terms"
    cotangents_of["masked"] = "h|one|two"
    cotangents_of["normed"] = "h|norm|two"
    cotangents_of["layers"] = "block.mlp|block.mlp.up|x.2|block.one|loss.terms"
    state = (seed * 7919 + number * 104729 + 12345) % 2147483646 + 1
    for (i = 0; i < 20; i++)
        draw(2)
    base()
    write_file(out "/" number ".base.place", "")
    kind = draw(10)
    statement = kind < 6 ? sync_statement() : kind < 9 ? placement_statement() : option_statement()
    say("micro " (setting["batch"] ~ /in/ ? substr(setting["batch"], index(setting["batch"], "in ") + 3, 1) : 1))
    say("strategy " strategy)
    printf "%s", said > (out "/" number ".said")
    write_file(out "/" number ".place", statement == "" ? "" : "    " statement "\n")
}
