# functions.awk - the functions of C that are long: "FILE:LINE: NAME has N lines", of those with more than `most`. A flat one,
# a table or a switch without a condition or a loop in it, may be as long as it has entries.
FNR == 1 { name = "" }
/^[A-Za-z_].*\(/ && !/;[ \t]*$/ && !/^(typedef|#)/ {
    first = FNR
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    flat = 1
}
/(^|[^A-Za-z0-9_])(if|for|while) \(|^ *do \{/ && !/^[ \t]*(\*|\/\*)/ { flat = 0 }
/^}/ {
    if (name != "" && !flat && FNR - first + 1 > most) print FILENAME ":" first ": " name " has " FNR - first + 1 " lines"
    name = ""
}
