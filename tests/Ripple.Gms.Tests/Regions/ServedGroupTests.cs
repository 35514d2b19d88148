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

        Assert.Equal(1, Assert.Single(budget.Lines, l => l.Scope == MemoryScope.Connection).Count);
    }
}
