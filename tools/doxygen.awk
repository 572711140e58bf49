# SPDX-License-Identifier: MIT
# Filter for doxygen: the plain comments of the public headers become its own. A comment before a declaration or on its line
# describes it; the head of a file describes the file.
function escaped(text) {
    gsub(/[<>@#]/, "\\\\&", text)
    gsub(/eq\. /, "eq.\\ ", text) # the sentence goes on
    return text
}
/^#/ && !inside { print; next }
/^\/\* SPDX/ { print "/** \\file"; inside = 1; next }
inside {
    if (index($0, "*/")) inside = 0
    print escaped($0)
    next
}
{
    at = index($0, "/*")
    if (!at) { print; next }
    code = substr($0, 1, at - 1)
    rest = substr($0, at + 2)
    if (!index(rest, "*/")) inside = 1
    print code (code ~ /[^ \t]/ ? "/**<" : "/**") escaped(rest)
}
