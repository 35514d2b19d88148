using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Tests;

/// <summary>Mutants of files that do not exist.</summary>
internal static class TestMutant
{
    public static Mutant Of(string line, string becomes, string id = "m", string room = "R", string kind = "k") =>
        new() { Id = id, Room = room, Class = kind, File = "src/A.cs", Line = line, Becomes = becomes };
}
