using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Running;

/// <summary>In which order tests look for a mutant.</summary>
internal static class TestPlan
{
    /// <summary>The tests of the room, then the rest of its project, then the projects that use it.</summary>
    public static IEnumerable<TestStep> Of(Room room)
    {
        if (room.First.Count > 0)
        {
            yield return new TestStep(room.Tests, room.First, []);
        }

        yield return new TestStep(room.Tests, [], room.First);
        foreach (string project in room.Then)
        {
            yield return new TestStep(project, [], []);
        }
    }
}
