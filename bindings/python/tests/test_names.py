"""The public names: each has a docstring, and the stubs name what the module has."""

import ast
import inspect
import pathlib

import komadai
from komadai import _native, kifu, training

STUBS = ast.parse((pathlib.Path(komadai.__file__).parent / "_native.pyi").read_text())
#: What every class has, and what protocols need no stub for.
USUAL = {
    "__new__",
    "__doc__",
    "__module__",
    "__repr__",
    "__str__",
    "__reduce__",
    "__copy__",
    "__deepcopy__",
    "__eq__",
    "__ne__",
}


def members(owner):
    return {name: value for name, value in vars(owner).items() if not name.startswith("_")}


def public():
    """All public names with their objects: those of the modules and the members of the classes."""
    for module in (komadai, kifu, training):
        for name in module.__all__:
            found = getattr(module, name)
            yield f"{module.__name__}.{name}", found
            if inspect.isclass(found) and found.__module__.startswith("komadai"):
                for member, value in members(found).items():
                    yield f"{module.__name__}.{name}.{member}", value


def test_every_public_name_has_a_docstring():
    missing = [
        name
        for name, found in public()
        if (callable(found) or inspect.ismodule(found) or inspect.isgetsetdescriptor(found))
        and not (inspect.getdoc(found) or "").strip()
    ]
    assert missing == []
    assert sum(1 for _ in public()) > 200


def test_everything_native_is_public():
    exported = {found for _, found in public() if callable(found)}
    hidden = {"Boards", "board_of_row", "check_rows", "legal_moves_of_rows", "pack", "play_match"}
    found = {name for name, value in members(_native).items() if value not in exported}
    assert found == hidden


def parameters(function):
    arguments = function.args
    names = [argument.arg for argument in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
    names += [argument.arg for argument in (arguments.vararg, arguments.kwarg) if argument]
    return [name for name in names if name not in ("self", "cls")]


def same_parameters(stub, found):
    signature = inspect.signature(found)
    return parameters(stub) == [name for name in signature.parameters if name not in ("self", "cls")]


def test_stubs_name_the_same_members():
    classes = {node.name: node for node in STUBS.body if isinstance(node, ast.ClassDef)}
    functions = {node.name: node for node in STUBS.body if isinstance(node, ast.FunctionDef)}
    native = members(_native)
    assert {name for name, value in native.items() if inspect.isclass(value)} == set(classes)
    assert {name for name, value in native.items() if not inspect.isclass(value)} == set(functions)
    for name, stub in functions.items():
        assert same_parameters(stub, native[name]), name
    for name, stub in classes.items():
        found = native[name]
        if issubclass(found, Exception):
            continue
        stubs = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
        assert set(stubs) - USUAL == set(vars(found)) - USUAL - pickled(found), name
        for member, node in stubs.items():
            is_property = any(getattr(mark, "id", "") == "property" for mark in node.decorator_list)
            if member == "__new__":
                assert same_parameters(node, found), name
            elif not member.startswith("_"):
                value = vars(found)[member]
                assert is_property == inspect.isgetsetdescriptor(value), f"{name}.{member}"
                assert is_property or same_parameters(node, getattr(found, member)), f"{name}.{member}"


def pickled(found):
    """Names that Python adds to a class: the reflected comparisons of one that it defines."""
    comparisons = {"__lt__", "__le__", "__gt__", "__ge__"}
    has_order = vars(found).get("__lt__") and "__lt__" in dir(found)
    added = set() if has_order and found in (komadai.Move, komadai.Score) else comparisons
    return added | ({"__hash__"} if vars(found).get("__hash__") is None else set())
