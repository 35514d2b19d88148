using Ripple.Engine.Memory;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Tests.Regions;

public sealed class ServedGroupTests
{
    [Fact]
    public void A_member_is_once_in_the_memory_of_who_hears()
    {
        var budget = new MemoryBudget();
        ServedGroup.AddMemory(budget);

        Assert.Equal((MemoryScope.Connection, 1L), (budget.Lines[0].Scope, budget.Lines[0].Count));
        Assert.Single(budget.Lines);
    }
}
